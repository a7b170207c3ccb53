/// The members of a JSON object in the order in which they were added. A key stands once.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package let key: String
        package internal(set) var value: JSON
    }

    package private(set) var members: [Member] = []
    /// Place of each key, kept once a search through the members would be slower than hashing.
    private var places: [ByteKey: Int] = [:]
    /// Members up to which a search compares one by one: a tool call or a message has fewer.
    private static let searchedUpTo = 16

    package init() {}

    /// - Returns: nil when a key stands twice.
    package init?(_ pairs: some Sequence<(String, JSON)>) {
        for (key, value) in pairs where !append(key, value) { return nil }
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }
    package var values: [JSON] { members.map(\.value) }

    /// Setting nil removes the member; setting a new key adds it at the end.
    package subscript(_ key: String) -> JSON? {
        get { place(of: key).map { members[$0].value } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?): add(key, value)
            case (let place?, nil): remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// Adds a member at the end.
    /// - Returns: false, with nothing changed, when the key is there already.
    package mutating func append(_ key: String, _ value: JSON) -> Bool {
        if place(of: key) != nil { return false }
        add(key, value)
        return true
    }

    package func contains(_ key: String) -> Bool { place(of: key) != nil }

    private func place(of key: String) -> Int? {
        if members.count > Self.searchedUpTo { return places[ByteKey(key)] }
        return members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }

    private mutating func add(_ key: String, _ value: JSON) {
        members.append(Member(key: key, value: value))
        if members.count == Self.searchedUpTo + 1 {
            for (place, member) in members.enumerated() { places[ByteKey(member.key)] = place }
        } else if members.count > Self.searchedUpTo {
            places[ByteKey(key)] = members.count - 1
        }
    }

    private mutating func remove(at place: Int) {
        members.remove(at: place)
        places = [:]
        if members.count > Self.searchedUpTo {
            for (place, member) in members.enumerated() { places[ByteKey(member.key)] = place }
        }
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

/// Objects with the same members are equal, in whatever order these stand.
extension JSONObject: Hashable {
    package static func == (a: JSONObject, b: JSONObject) -> Bool {
        a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var sum = 0
        for member in members {
            var one = Hasher()
            one.combine(ByteKey(member.key))
            one.combine(member.value)
            sum &+= one.finalize()
        }
        hasher.combine(sum)
    }
}

/// A text that is equal to another only if their UTF-8 bytes are.
package struct ByteKey: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: ByteKey, b: ByteKey) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xFF))
    }
}

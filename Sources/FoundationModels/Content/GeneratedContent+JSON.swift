package import HearthJSON

extension GeneratedContent {
    /// Reads a JSON text: an object, an array or a single value.
    ///
    /// The text may end in the middle, as an answer does while it is generated: what is there is read, and
    /// ``isComplete`` is false for every value that could still grow.
    /// - Throws: ``ParsingError`` for an empty text, and for one that no continuation could make valid.
    public init(json: String) throws {
        try self.init(json: json, ids: { nil })
    }

    /// - Parameter ids: gives an identity to each value, asked in the order in which the values begin.
    package init(json: String, ids: () -> GenerationID?) throws {
        let partial: PartialJSON
        do {
            partial = try JSON.parsePartial(json)
        } catch {
            throw ParsingError(rawContent: json, underlyingError: error, cause: .notJSON("\(error)"))
        }
        guard let value = partial.value else {
            guard json.utf8.contains(where: { $0 > 0x20 }) else {
                throw ParsingError(rawContent: json, underlyingError: nil, cause: .empty)
            }
            self.init(kind: .null, id: ids(), isComplete: false)
            return
        }
        self.init(value, openLevels: partial.isComplete ? 0 : max(1, partial.openLevels), ids: ids)
    }

    /// - Parameter openLevels: how many values on the path of last members are unfinished, this one included.
    package init(_ json: JSON, openLevels: Int = 0, ids: () -> GenerationID? = { nil }) {
        let isComplete = openLevels == 0
        let id = ids()
        switch json {
        case .null: self.init(kind: .null, id: id, isComplete: isComplete)
        case .bool(let value): self.init(kind: .bool(value), id: id, isComplete: isComplete)
        case .integer(let value):
            self.init(kind: .number(Double(value)), id: id, isComplete: isComplete, wholeNumber: value)
        case .number(let value): self.init(kind: .number(value), id: id, isComplete: isComplete)
        case .string(let text): self.init(kind: .string(text), id: id, isComplete: isComplete)
        case .array(let items):
            let last = items.count - 1
            let elements = items.enumerated().map { index, item in
                GeneratedContent(item, openLevels: index == last ? max(0, openLevels - 1) : 0, ids: ids)
            }
            self.init(kind: .array(elements), id: id, isComplete: isComplete)
        case .object(let object):
            let last = object.count - 1
            let pairs = object.members.enumerated().map { index, member in
                let levels = index == last ? max(0, openLevels - 1) : 0
                return (member.key, GeneratedContent(member.value, openLevels: levels, ids: ids))
            }
            self.init(pairs: pairs, id: id, isComplete: isComplete)
        }
    }

    /// The value as compact JSON, properties in order. A number that JSON cannot hold (NaN, infinities) becomes null.
    public var jsonString: String {
        json.description(.compact)
    }

    /// The value as JSON. Whole numbers are written without a fraction.
    package var json: JSON {
        switch kind {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let value):
            if let wholeNumber {
                .integer(wholeNumber)
            } else if !value.isFinite {
                .null
            } else if let whole = Int64(exactly: value), value.magnitude <= 0x1p53 {
                .integer(whole)
            } else {
                .number(value)
            }
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(\.json))
        case .structure(let properties, let orderedKeys):
            .object(GeneratedContent.object(properties, orderedKeys))
        }
    }

    /// Every property stands once: those that the order names, then any others by name.
    private static func object(_ properties: [String: GeneratedContent], _ order: [String]) -> JSONObject {
        var object = JSONObject()
        for key in order where !object.contains(key) {
            if let value = properties[key] { object[key] = value.json }
        }
        if object.count < properties.count {
            for key in properties.keys.sorted() where !object.contains(key) { object[key] = properties[key]?.json }
        }
        return object
    }
}

extension JSON {
    /// The text of a value that holds finite numbers only.
    func description(_ style: JSONStyle) -> String {
        var style = style
        style.nonFinite = .word
        do {
            return try text(style)
        } catch {
            // With `.word` nothing is refused.
            preconditionFailure("\(error)")
        }
    }
}

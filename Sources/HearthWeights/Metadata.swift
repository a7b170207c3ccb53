/// What a file says about itself: keys to typed values, in the order of the file.
///
/// ```swift
/// let layers = try checkpoint.metadata.int("llama.block_count")
/// let template = try checkpoint.metadata.text(ifPresent: "tokenizer.chat_template")
/// ```
///
/// A getter throws an error that names the key where it is missing, is of another type or does not fit; the form with
/// `ifPresent` gives nil for a missing key, and throws all the same for a wrong one.
package struct Metadata: Sendable {
    /// Keys and values in the order of the file. No key is there twice.
    package let entries: [(key: String, value: MetadataValue)]
    private let places: [String: Int]
    private let path: String

    /// - Parameter entries: keys in ASCII, each once (the reader has checked both).
    init(_ entries: [(key: String, value: MetadataValue)], path: String) {
        self.entries = entries
        self.path = path
        places = Dictionary(entries.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(key: String) -> MetadataValue? { places[key].map { entries[$0].value } }

    // MARK: One value

    /// A whole number of any width, signed or not, that fits an `Int`.
    package func int(_ key: String) throws(CheckpointError) -> Int { try present(key, int(ifPresent: key)) }

    package func int(ifPresent key: String) throws(CheckpointError) -> Int? {
        guard let value = self[key] else { return nil }
        guard let number = value.int else { throw wrong(key, value, "a whole number") }
        return number
    }

    package func float(_ key: String) throws(CheckpointError) -> Float { try present(key, float(ifPresent: key)) }

    package func float(ifPresent key: String) throws(CheckpointError) -> Float? {
        guard let value = self[key] else { return nil }
        guard case .float(let number, _) = value else { throw wrong(key, value, "a FLOAT32") }
        return Float(number)
    }

    package func bool(_ key: String) throws(CheckpointError) -> Bool { try present(key, bool(ifPresent: key)) }

    package func bool(ifPresent key: String) throws(CheckpointError) -> Bool? {
        guard let value = self[key] else { return nil }
        guard case .bool(let answer) = value else { throw wrong(key, value, "a BOOL") }
        return answer
    }

    /// A string as text; bytes that are not UTF-8 are refused.
    package func text(_ key: String) throws(CheckpointError) -> String { try present(key, text(ifPresent: key)) }

    package func text(ifPresent key: String) throws(CheckpointError) -> String? {
        guard let value = self[key] else { return nil }
        guard case .string(let bytes) = value else { throw wrong(key, value, "a STRING") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CheckpointError(path, .notUTF8(what: "the value of \(key)"))
        }
        return text
    }

    // MARK: Arrays

    package func strings(_ key: String) throws(CheckpointError) -> StringArray {
        try present(key, strings(ifPresent: key))
    }

    package func strings(ifPresent key: String) throws(CheckpointError) -> StringArray? {
        guard let value = self[key] else { return nil }
        guard case .strings(let array) = value else { throw wrong(key, value, "an array of STRING") }
        return array
    }

    package func ints(_ key: String) throws(CheckpointError) -> [Int] { try present(key, ints(ifPresent: key)) }

    package func ints(ifPresent key: String) throws(CheckpointError) -> [Int]? {
        try array(key, "an array of whole numbers", \.int)
    }

    package func floats(_ key: String) throws(CheckpointError) -> [Float] { try present(key, floats(ifPresent: key)) }

    package func floats(ifPresent key: String) throws(CheckpointError) -> [Float]? {
        try array(key, "an array of FLOAT32") { if case .float(let number, _) = $0 { Float(number) } else { nil } }
    }

    package func bools(ifPresent key: String) throws(CheckpointError) -> [Bool]? {
        try array(key, "an array of BOOL") { if case .bool(let answer) = $0 { answer } else { nil } }
    }

    private func array<Element>(
        _ key: String, _ expected: String, _ convert: (MetadataValue) -> Element?
    ) throws(CheckpointError) -> [Element]? {
        guard let value = self[key] else { return nil }
        guard case .numbers(let numbers) = value else { throw wrong(key, value, expected) }
        var result: [Element] = []
        result.reserveCapacity(numbers.count)
        for number in numbers {
            guard let element = convert(number) else { throw wrong(key, value, expected) }
            result.append(element)
        }
        return result
    }

    // MARK: Errors

    private func present<T>(_ key: String, _ value: T?) throws(CheckpointError) -> T {
        guard let value else { throw CheckpointError(path, .missingKey(key)) }
        return value
    }

    private func wrong(_ key: String, _ value: MetadataValue, _ expected: String) -> CheckpointError {
        CheckpointError(path, .wrongType(key: key, actual: value.kindName, expected: expected))
    }
}

extension MetadataValue {
    /// The value of any integer kind where it fits an `Int`.
    package var int: Int? {
        switch self {
        case .unsigned(let number, _): Int(exactly: number)
        case .signed(let number, _): Int(exactly: number)
        case .float, .bool, .string, .numbers, .strings, .arrays: nil
        }
    }
}

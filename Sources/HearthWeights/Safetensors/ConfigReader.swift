import Foundation
import HearthJSON

/// One JSON file of a model's folder, with getters that name the key when a value is missing or wrong.
struct ConfigReader {
    let path: String
    let json: JSON

    /// A description is small; more than this is no description.
    private static let longest = 256 << 20

    /// Nil where the file is not there and need not be.
    init?(_ folder: URL, _ name: String, required: Bool) throws(CheckpointError) {
        let url = folder.appending(path: name)
        path = url.path(percentEncoded: false)
        if !required, !FileManager.default.fileExists(atPath: path) { return nil }
        let file = try MappedFile(url) { _ throws(CheckpointError) in }
        guard file.count <= Self.longest else { throw CheckpointError(path, .badJSON("It has \(file.count) bytes.")) }
        let bytes = file.withSpan { copy(0..<file.count, of: $0) }
        do throws(JSONError) { json = try JSON.parse(bytes) } catch { throw CheckpointError(path, .badJSON("\(error)")) }
        guard json.objectValue != nil else { throw CheckpointError(path, .badJSON("It is no object.")) }
    }

    init(path: String, json: JSON) {
        self.path = path
        self.json = json
    }

    /// The value of a key, nil for none and for null.
    subscript(key: String) -> JSON? {
        guard let value = json[key], !value.isNull else { return Optional.none }  // `nil` would be a JSON null
        return value
    }

    func int(_ key: String) throws(CheckpointError) -> Int { try present(key, int(ifPresent: key)) }

    func int(ifPresent key: String) throws(CheckpointError) -> Int? {
        try value(key, "a whole number") { $0.intValue }
    }

    func double(_ key: String) throws(CheckpointError) -> Double { try present(key, double(ifPresent: key)) }

    func double(ifPresent key: String) throws(CheckpointError) -> Double? { try value(key, "a number") { $0.doubleValue } }

    func bool(ifPresent key: String) throws(CheckpointError) -> Bool? { try value(key, "true or false") { $0.boolValue } }

    func text(ifPresent key: String) throws(CheckpointError) -> String? { try value(key, "a text") { $0.stringValue } }

    func doubles(ifPresent key: String) throws(CheckpointError) -> [Double]? {
        try value(key, "an array of numbers") { json in
            guard let items = json.arrayValue else { return nil }
            let numbers = items.compactMap(\.doubleValue)
            return numbers.count == items.count ? numbers : nil
        }
    }

    /// A whole number or several.
    func ints(ifPresent key: String) throws(CheckpointError) -> [Int] {
        try value(key, "a whole number or several") { json in
            if let one = json.intValue { return [one] }
            guard let items = json.arrayValue else { return nil }
            let numbers = items.compactMap(\.intValue)
            return numbers.count == items.count ? numbers : nil
        } ?? []
    }

    /// Stops at a setting that is not computed here.
    func refuse(_ key: String, unless supported: [String], _ actual: String?) throws(CheckpointError) {
        guard let actual, !supported.contains(actual) else { return }
        throw CheckpointError(path, .badSetting(key: key, value: actual, supported: supported.joined(separator: ", ")))
    }

    private func value<T>(_ key: String, _ expected: String, _ convert: (JSON) -> T?) throws(CheckpointError) -> T? {
        guard let json = self[key] else { return nil }
        guard let value = convert(json) else {
            throw CheckpointError(path, .badSetting(key: key, value: String(json.description.prefix(80)), supported: expected))
        }
        return value
    }

    private func present<T>(_ key: String, _ value: T?) throws(CheckpointError) -> T {
        guard let value else { throw CheckpointError(path, .missingKey(key)) }
        return value
    }
}

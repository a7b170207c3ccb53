import Foundation
import FoundationModels

/// An executor's configuration is a key: plain values, equal for equal models, different where the executor must differ.
enum ConfigurationAudit {
    static func findings<Model: LanguageModel>(
        _ model: Model, again: Model, variants: [(name: String, make: Conformance<Model>.Make)]
    ) -> [Finding] {
        let configuration = model.executorConfiguration
        var faults: [Fault] = []
        let twin = again.executorConfiguration
        if configuration != twin || configuration.hashValue != twin.hashValue { faults.append(.configurationUnequal) }
        for variant in variants {
            do {
                if try variant.make().executorConfiguration == configuration {
                    faults.append(.configurationSameForVariant(variant.name))
                }
            } catch {
                faults.append(.failed(reason: "The variant '\(variant.name)' could not be made: \(error)"))
            }
        }
        faults += opaque(configuration, path: "configuration")
        return faults.map { Finding($0, probe: "configuration") }
    }

    /// Walks through the stored values. Objects and functions have no equality that a key could use.
    private static func opaque(_ value: Any, path: String) -> [Fault] {
        if isPlain(value) { return [] }
        let type = Swift.type(of: value)
        if type is AnyClass || String(reflecting: type).contains("->") {
            return [.configurationHolds(path: path, type: "\(type)")]
        }
        return Mirror(reflecting: value).children.enumerated().flatMap { index, child in
            opaque(child.value, path: "\(path).\(child.label ?? "\(index)")")
        }
    }

    /// Values whose equality is known. Foundation's hide objects inside, behind the equality of values.
    private static func isPlain(_ value: Any) -> Bool {
        value is String || value is any BinaryInteger || value is any BinaryFloatingPoint || value is Bool
            || value is URL
            || value is Data || value is Date || value is UUID || value is Decimal || value is Locale
            || value is TimeZone
            || value is Duration || value is any Any.Type
    }
}

import HearthJSON

/// A value as a model wrote it: JSON whose properties keep their order, and which may be unfinished.
///
///     let content = try GeneratedContent(json: #"{"city": "Köln", "days": 4}"#)
///     let days: Int = try content.value(forProperty: "days")
///
/// Two contents are equal when their values are; the ids under which they were generated are not compared.
public struct GeneratedContent: Sendable, CustomDebugStringConvertible {
    /// The value's identity within its response; nil for values that were not generated.
    public var id: GenerationID?

    /// What the value is, to switch over. Numbers are `Double` here; whole numbers that a `Double` cannot hold are kept
    /// beside it, so that `Int` reads them back exactly.
    public let kind: GeneratedContent.Kind

    /// False while the value is the beginning of one that is still being generated.
    public let isComplete: Bool

    /// The number as it was written, where it was written as a whole number.
    package let wholeNumber: Int64?

    public enum Kind: Equatable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([GeneratedContent])
        case structure(properties: [String: GeneratedContent], orderedKeys: [String])
    }

    package init(kind: Kind, id: GenerationID?, isComplete: Bool, wholeNumber: Int64? = nil) {
        self.kind = kind
        self.id = id
        self.isComplete = isComplete
        self.wholeNumber = wholeNumber
    }

    /// The value as JSON, the same text as ``jsonString``.
    public var debugDescription: String { jsonString }
}

extension GeneratedContent: Equatable {
    public static func == (left: GeneratedContent, right: GeneratedContent) -> Bool {
        if let a = left.wholeNumber, let b = right.wholeNumber, a != b { return false }
        return left.isComplete == right.isComplete && left.kind == right.kind
    }
}

extension GeneratedContent: Generable {
    /// Any JSON value.
    public static var generationSchema: GenerationSchema {
        GenerationSchema(name: "GeneratedContent", root: .anything)
    }

    public init(_ content: GeneratedContent) throws {
        self = content
    }

    public var generatedContent: GeneratedContent { self }
}

public import Foundation

extension GeneratedContent {
    /// Generated text that is not the value it should be.
    ///
    /// A session throws it, as it is, when an answer cannot be read as the type that was asked for; for instance when
    /// `maximumResponseTokens` cut an object. `rawContent` holds what was generated.
    public struct ParsingError: LocalizedError, Sendable, CustomDebugStringConvertible {
        public var rawContent: String
        public var underlyingError: (any Error)?
        public var debugDescription: String

        public init(rawContent: String, underlyingError: (any Error)? = nil, debugDescription: String) {
            self.rawContent = rawContent
            self.underlyingError = underlyingError
            self.debugDescription = debugDescription
        }

        public var errorDescription: String? { debugDescription }

        package init(rawContent: String, underlyingError: (any Error)? = nil, cause: ContentProblem) {
            self.init(rawContent: rawContent, underlyingError: underlyingError, debugDescription: cause.words)
        }

        func inside(property: String) -> ParsingError {
            var copy = self
            copy.debugDescription = "In property '\(property)': \(debugDescription)"
            return copy
        }
    }
}

/// Why content is not the value it should be. The words are in `ContentProblem+Words.swift`.
package enum ContentProblem: Sendable {
    case empty
    case notJSON(String)
    case missingProperty(String)
    case notAStructure(property: String, found: String)
    case wrongKind(expected: String, found: String)
    case notWhole(Double)
    case outOfRange(type: String, value: String)
    case uninhabited
    case unfinished(type: String)
    case unknownTool(name: String, known: [String])
    case unreadableArguments(tool: String, reason: String)
}

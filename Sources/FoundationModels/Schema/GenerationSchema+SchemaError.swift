public import Foundation

extension GenerationSchema {
    /// Why a dynamic schema could not become a schema.
    public enum SchemaError: Error, LocalizedError {
        case duplicateType(schema: String?, type: String, context: GenerationSchema.SchemaError.Context)
        case duplicateProperty(schema: String, property: String, context: GenerationSchema.SchemaError.Context)
        case emptyTypeChoices(schema: String, context: GenerationSchema.SchemaError.Context)
        case undefinedReferences(
            schema: String?, references: [String], context: GenerationSchema.SchemaError.Context)

        public var errorDescription: String? { context.debugDescription }

        public var recoverySuggestion: String? { words.suggestion }

        public struct Context: Sendable {
            public let debugDescription: String

            public init(debugDescription: String) {
                self.debugDescription = debugDescription
            }

            init(_ words: SchemaErrorWords) {
                debugDescription = words.description
            }
        }

        private var context: Context {
            switch self {
            case .duplicateType(_, _, let context), .duplicateProperty(_, _, let context),
                .emptyTypeChoices(_, let context), .undefinedReferences(_, _, let context):
                context
            }
        }

        private var words: SchemaErrorWords {
            switch self {
            case .duplicateType(let schema, let type, _): .duplicateType(schema: schema, type: type)
            case .duplicateProperty(let schema, let property, _):
                .duplicateProperty(schema: schema, property: property)
            case .emptyTypeChoices(let schema, _): .emptyTypeChoices(schema: schema)
            case .undefinedReferences(let schema, let references, _):
                .undefinedReferences(schema: schema, references: references)
            }
        }
    }
}

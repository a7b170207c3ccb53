public import _StringProcessing

extension GenerationSchema {
    /// A property of an object, with the guides that limit it.
    public struct Property: Sendable {
        let property: SchemaProperty

        /// A property that must be there.
        public init<Value>(
            name: String, description: String? = nil, type: Value.Type, guides: [GenerationGuide<Value>] = []
        ) where Value: Generable {
            self.init(name, description, Value.self, guides.flatMap(\.limits), isOptional: false)
        }

        /// A property that may be left out.
        public init<Value>(
            name: String, description: String? = nil, type: Value?.Type, guides: [GenerationGuide<Value>] = []
        ) where Value: Generable {
            self.init(name, description, Value.self, guides.flatMap(\.limits), isOptional: true)
        }

        /// A string that matches expressions.
        public init<RegexOutput>(
            name: String, description: String? = nil, type: String.Type, guides: [Regex<RegexOutput>] = []
        ) {
            let limits = guides.map { SchemaLimit.pattern($0._literalPattern) }
            self.init(name, description, String.self, limits, isOptional: false)
        }

        /// A string that matches expressions, or is left out.
        public init<RegexOutput>(
            name: String, description: String? = nil, type: String?.Type, guides: [Regex<RegexOutput>] = []
        ) {
            let limits = guides.map { SchemaLimit.pattern($0._literalPattern) }
            self.init(name, description, String.self, limits, isOptional: true)
        }

        private init(
            _ name: String, _ description: String?, _ type: any Generable.Type, _ limits: [SchemaLimit],
            isOptional: Bool
        ) {
            let node = SchemaNode.type(type)
            property = SchemaProperty(
                name: name, description: description, node: limits.isEmpty ? node : .limited(node, limits),
                isOptional: isOptional)
        }
    }
}

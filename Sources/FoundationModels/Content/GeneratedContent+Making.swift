extension GeneratedContent {
    /// A structure from a literal. A property that is written twice keeps its first place and takes its last value.
    public init(properties: KeyValuePairs<String, any ConvertibleToGeneratedContent>, id: GenerationID? = nil) {
        self.init(pairs: properties.map { ($0.key, $0.value.generatedContent) }, id: id)
    }

    /// A structure from pairs; `combine` says what becomes of a property that comes twice.
    public init<S>(
        properties: S, id: GenerationID? = nil,
        uniquingKeysWith combine: (GeneratedContent, GeneratedContent) throws -> some ConvertibleToGeneratedContent
    ) rethrows where S: Sequence, S.Element == (String, any ConvertibleToGeneratedContent) {
        var values: [String: GeneratedContent] = [:]
        var order: [String] = []
        for (name, value) in properties {
            if let earlier = values[name] {
                values[name] = try combine(earlier, value.generatedContent).generatedContent
            } else {
                values[name] = value.generatedContent
                order.append(name)
            }
        }
        self.init(kind: .structure(properties: values, orderedKeys: order), id: id)
    }

    public init<S>(elements: S, id: GenerationID? = nil)
    where S: Sequence, S.Element == any ConvertibleToGeneratedContent {
        self.init(kind: .array(elements.map { $0.generatedContent }), id: id)
    }

    public init(_ value: some ConvertibleToGeneratedContent) {
        self = value.generatedContent
    }

    public init(_ value: some ConvertibleToGeneratedContent, id: GenerationID) {
        self = value.generatedContent
        self.id = id
    }

    /// A value from its kind. It is complete when all its parts are.
    public init(kind: GeneratedContent.Kind, id: GenerationID? = nil) {
        let isComplete =
            switch kind {
            case .null, .bool, .number, .string: true
            case .array(let elements): elements.allSatisfy(\.isComplete)
            case .structure(let properties, _): properties.values.allSatisfy(\.isComplete)
            }
        self.init(kind: kind, id: id, isComplete: isComplete)
    }

    /// A structure with its properties in order.
    package init(pairs: [(String, GeneratedContent)], id: GenerationID? = nil, isComplete: Bool = true) {
        var values: [String: GeneratedContent] = [:]
        var order: [String] = []
        for (name, value) in pairs {
            if values.updateValue(value, forKey: name) == nil { order.append(name) }
        }
        self.init(kind: .structure(properties: values, orderedKeys: order), id: id, isComplete: isComplete)
    }
}

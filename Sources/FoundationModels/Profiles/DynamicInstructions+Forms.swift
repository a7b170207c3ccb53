/// Any dynamic instructions.
public struct AnyDynamicInstructions: DynamicInstructions {
    private let content: any DynamicInstructions

    public init(_ dynamicInstructions: any DynamicInstructions) {
        content = dynamicInstructions
    }

    public init(erasing dynamicInstructions: some DynamicInstructions) {
        content = dynamicInstructions
    }

    public var body: Never { noBody(Self.self) }
}

extension AnyDynamicInstructions: PrimitiveDynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions) {
        resolved.add(content)
    }
}

/// Several, one after the other.
public struct TupleDynamicInstructions<each Content>: DynamicInstructions
where repeat each Content: DynamicInstructions {
    private let contents: (repeat each Content)

    public init(_ contents: repeat each Content) {
        self.contents = (repeat each contents)
    }

    public var body: Never { noBody(Self.self) }
}

extension TupleDynamicInstructions: PrimitiveDynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions) {
        for content in repeat each contents { resolved.add(content) }
    }
}

/// One of two.
public struct ConditionalDynamicInstructions<TrueContent, FalseContent>: DynamicInstructions
where TrueContent: DynamicInstructions, FalseContent: DynamicInstructions {
    private let branch: Branch

    public init(_ branch: ConditionalDynamicInstructions<TrueContent, FalseContent>.Branch) {
        self.branch = branch
    }

    public var body: Never { noBody(Self.self) }

    public enum Branch {
        case trueContent(TrueContent)
        case falseContent(FalseContent)
    }
}

extension ConditionalDynamicInstructions: PrimitiveDynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions) {
        switch branch {
        case .trueContent(let content): resolved.add(content)
        case .falseContent(let content): resolved.add(content)
        }
    }
}

/// None.
public struct EmptyDynamicInstructions: DynamicInstructions, Sendable {
    public init() {}

    public var body: Never { noBody(Self.self) }
}

extension EmptyDynamicInstructions: PrimitiveDynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions) {}
}

/// One for each element of a collection.
public struct DynamicInstructionsForEach<Data, ID, Content>: DynamicInstructions
where Data: RandomAccessCollection, ID: Hashable, Content: DynamicInstructions {
    private let data: Data
    private let content: (Data.Element) -> Content

    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @DynamicInstructionsBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.content = content
    }

    public var body: Never { noBody(Self.self) }
}

extension DynamicInstructionsForEach where ID == Data.Element.ID, Data.Element: Identifiable {
    public init(_ data: Data, @DynamicInstructionsBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data, id: \.id, content: content)
    }
}

extension DynamicInstructionsForEach: PrimitiveDynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions) {
        for element in data { resolved.add(content(element)) }
    }
}

/// Puts dynamic instructions together from instructions, tools, conditions and other dynamic instructions.
@resultBuilder
public struct DynamicInstructionsBuilder {
    public static func buildExpression<T>(_ expression: T) -> some DynamicInstructions where T: Tool {
        ToolInstructions(tools: [expression])
    }

    public static func buildExpression<T>(_ expression: T) -> T where T: DynamicInstructions {
        expression
    }

    public static func buildExpression(_ tools: [any Tool]) -> some DynamicInstructions {
        ToolInstructions(tools: tools)
    }

    @_disfavoredOverload
    public static func buildBlock<each Content>(
        _ contents: repeat each Content
    ) -> TupleDynamicInstructions<repeat each Content> where repeat each Content: DynamicInstructions {
        TupleDynamicInstructions(repeat each contents)
    }

    public static func buildBlock<T>(_ content: T) -> T where T: DynamicInstructions {
        content
    }

    public static func buildBlock() -> EmptyDynamicInstructions {
        EmptyDynamicInstructions()
    }

    public static func buildEither<TrueContent, FalseContent>(
        first content: TrueContent
    ) -> ConditionalDynamicInstructions<TrueContent, FalseContent>
    where TrueContent: DynamicInstructions, FalseContent: DynamicInstructions {
        ConditionalDynamicInstructions(.trueContent(content))
    }

    public static func buildEither<TrueContent, FalseContent>(
        second content: FalseContent
    ) -> ConditionalDynamicInstructions<TrueContent, FalseContent>
    where TrueContent: DynamicInstructions, FalseContent: DynamicInstructions {
        ConditionalDynamicInstructions(.falseContent(content))
    }

    public static func buildOptional<Content>(_ content: Content?) -> Content? where Content: DynamicInstructions {
        content
    }

    public static func buildLimitedAvailability(_ content: some DynamicInstructions) -> AnyDynamicInstructions {
        AnyDynamicInstructions(erasing: content)
    }
}

/// Instructions that are made anew for every round of a request, with the tools that go with them.
///
///     struct Guide: DynamicInstructions {
///         @SessionProperty(\.city) var city
///         var body: some DynamicInstructions {
///             Instructions("You are a guide through \(city).")
///             if city == "Delft" { CanalTool() }
///         }
///     }
@_typeEraser(AnyDynamicInstructions)
public protocol DynamicInstructions {
    associatedtype Body: DynamicInstructions
    @DynamicInstructionsBuilder var body: Self.Body { get }
}

extension DynamicInstructions {
    public typealias ForEach = DynamicInstructionsForEach
    public typealias SessionProperty = LanguageModelSession.SessionProperty
}

/// What dynamic instructions come to at one moment.
struct ResolvedInstructions {
    var parts: [PromptPart] = []
    var tools: [any Tool] = []
    /// Whether there were any: empty instructions make an entry, none make none.
    var isPresent = false

    mutating func add<Content: DynamicInstructions>(_ content: Content) {
        if let primitive = content as? any PrimitiveDynamicInstructions {
            primitive.resolve(into: &self)
        } else {
            add(content.body)
        }
    }
}

/// Instructions that are not made of others.
protocol PrimitiveDynamicInstructions: DynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions)
}

/// A primitive has no body; asking for one is a mistake of this module.
func noBody(_ type: Any.Type) -> Never {
    fatalError("\(type) is made of nothing else and has no body.")
}

extension Instructions: PrimitiveDynamicInstructions {
    public var body: some DynamicInstructions { return self }

    func resolve(into resolved: inout ResolvedInstructions) {
        resolved.parts += parts
        resolved.isPresent = true
    }
}

extension Optional: DynamicInstructions where Wrapped: DynamicInstructions {
    public var body: Never { noBody(Self.self) }
}

extension Optional: PrimitiveDynamicInstructions where Wrapped: DynamicInstructions {
    func resolve(into resolved: inout ResolvedInstructions) {
        if let self { resolved.add(self) }
    }
}

extension Never: DynamicInstructions, LanguageModelSession.DynamicProfile {
    // `return`, so that neither of the two builders is meant.
    public var body: Never { return noBody(Self.self) }
}

/// Tools as a part of dynamic instructions.
struct ToolInstructions: PrimitiveDynamicInstructions {
    let tools: [any Tool]

    var body: Never { noBody(Self.self) }

    func resolve(into resolved: inout ResolvedInstructions) {
        resolved.tools += tools
    }
}

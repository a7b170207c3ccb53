import HearthJSON

/// Walks the tree once, for one context. What it makes, it charges to the budget.
final class Renderer {
    let tree: TemplateTree
    let budget: TemplateBudget
    let now: TemplateDate?
    /// Where the expression stands that is being evaluated, for errors.
    var place = TemplatePlace(line: 1, column: 1)
    private(set) var output = Text([], .template)
    private var steps = 0
    private var made = 0
    private var level = 0
    private let started = PlatformNumbers.threadNanoseconds()
    /// Where the stack may grow to: builds without optimisation have frames so large that they may come here before
    /// they come to the budget's depth.
    private let stackEnd: UInt
    /// Kept to be emptied at the end: they may hold each other in circles.
    private var namespaces: [ValueNamespace] = []
    private var scopes: [Scope] = []

    /// - Parameter stack: bytes of the thread's stack that may be used from here.
    init(_ tree: TemplateTree, _ budget: TemplateBudget, now: TemplateDate?, stack: Int) {
        (self.tree, self.budget, self.now) = (tree, budget, now)
        let here = Self.stackPlace()
        stackEnd = here - min(here, UInt(stack))
    }

    func render(_ context: ContextValues) throws(TemplateError) -> Text {
        defer {
            for namespace in namespaces {
                namespace.names = []
                namespace.values = []
            }
            for scope in scopes { scope.clear() }
        }
        let root = Scope(nil)
        for (id, name) in tree.names.enumerated() {
            if let value = context[name] { root.set(id, value) }
        }
        // A template's own names are kept apart from the context's: a macro reads both, and writes neither.
        _ = try run(tree.statements, Scope(root))
        return output
    }

    // MARK: Budget

    func fail(_ cause: TemplateError.Cause) -> TemplateError { TemplateError(cause, at: place) }

    /// Counts work; the clock is read now and then.
    @inline(__always)
    func step(_ count: Int = 1) throws(TemplateError) {
        let before = steps
        steps += count
        if steps > budget.steps { throw fail(.exhausted(.steps, limit: budget.steps)) }
        // 1,024 steps take some tens of microseconds.
        if before >> 10 != steps >> 10 { try checkTime() }
    }

    private func checkTime() throws(TemplateError) {
        if (PlatformNumbers.threadNanoseconds() - started) / 1_000_000 > budget.milliseconds {
            throw fail(.exhausted(.time, limit: budget.milliseconds))
        }
    }

    /// Charges the bytes of something that was made, or is about to be; long ones also cost time.
    func charge(bytes: Int) throws(TemplateError) {
        let (sum, overflow) = made.addingReportingOverflow(max(0, bytes))
        if overflow || sum > budget.memory { throw fail(.exhausted(.memory, limit: budget.memory)) }
        made = sum
        // Copying a text costs far less for each byte than a step does.
        try step(bytes >> 6)
    }

    /// Charges `bytes * times + more`; an overflow is too much.
    func charge(bytes: Int, times: Int, and more: Int = 0) throws(TemplateError) {
        let (product, isTooMuch) = max(0, bytes).multipliedReportingOverflow(by: max(0, times))
        let (sum, isMore) = product.addingReportingOverflow(more)
        try charge(bytes: isTooMuch || isMore ? .max : sum)
    }

    func charge(_ text: Text) throws(TemplateError) -> Value {
        try charge(bytes: text.count + Self.textBytes + text.runs.count * Self.runBytes)
        return .text(text)
    }

    /// What a text costs besides its bytes: its own storage and the headers of two arrays.
    static let textBytes = 112
    static let runBytes = MemoryLayout<Text.Run>.stride

    /// `MemoryLayout<Value>.stride` and what an array adds.
    static let itemBytes = 48

    func list(_ items: [Value], _ kind: ValueList.Kind = .list) throws(TemplateError) -> Value {
        try charge(bytes: items.count * Self.itemBytes)
        let list = ValueList(items, kind)
        try check(depth: list.depth)
        return .list(list)
    }

    func mapping(_ pairs: [(key: ValueKey, name: Value, value: Value)]) throws(TemplateError) -> Value {
        try charge(bytes: pairs.count * 3 * Self.itemBytes)
        let mapping = ValueMapping(pairs)
        try check(depth: mapping.depth)
        return .mapping(mapping)
    }

    func check(depth: Int) throws(TemplateError) {
        if depth > budget.nesting { throw fail(.exhausted(.nesting, limit: budget.nesting)) }
    }

    func makeNamespace() throws(TemplateError) -> ValueNamespace {
        try charge(bytes: 4 * Self.itemBytes)
        let namespace = ValueNamespace()
        namespaces.append(namespace)
        return namespace
    }

    func macro(_ syntax: MacroSyntax, in scope: Scope) -> MacroValue {
        if scopes.last !== scope { scopes.append(scope) }
        return MacroValue(syntax, scope)
    }

    /// Goes one level deeper for the time of `body`.
    @inline(__always)
    func deeper<R>(_ body: () throws(TemplateError) -> R) throws(TemplateError) -> R {
        level += 1
        defer { level -= 1 }
        if level > budget.depth || Self.stackPlace() < stackEnd {
            throw fail(.exhausted(.depth, limit: min(level, budget.depth)))
        }
        return try body()
    }

    @inline(never)
    private static func stackPlace() -> UInt {
        var local: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }

    // MARK: Output

    func write(_ text: Text) throws(TemplateError) {
        if output.count + text.count > budget.output { throw fail(.exhausted(.output, limit: budget.output)) }
        output.append(text)
    }

    /// What `body` writes, kept out of the prompt.
    func captured(_ body: () throws(TemplateError) -> Void) throws(TemplateError) -> Text {
        let outer = output
        output = Text([], .template)
        defer { output = outer }
        try body()
        try charge(bytes: output.count)
        return output
    }
}

/// The variables a template is given.
struct ContextValues {
    private let object: JSONObject
    private let trust: TemplateTrust

    init(_ object: JSONObject, _ trust: TemplateTrust) { (self.object, self.trust) = (object, trust) }

    /// The value of a variable, made when a template mentions its name.
    subscript(_ name: String) -> Value? { object[name].map { trust.value(name, $0) } }
}

extension Renderer {
    enum Flow { case onward, broken, continued }

    func run(_ statements: [Statement], _ scope: Scope) throws(TemplateError) -> Flow {
        for statement in statements {
            try step()
            let flow = try run(statement, scope)
            if flow != .onward { return flow }
        }
        return .onward
    }

    private func run(_ statement: Statement, _ scope: Scope) throws(TemplateError) -> Flow {
        switch statement {
        case .text(let text): try write(text)
        case .output(let expression): try write(try evaluate(expression, scope).printed)
        case .branch(let branches, let otherwise): return try branch(branches, otherwise, scope)
        case .loop(let loop): try runLoop(loop, over: try evaluate(loop.items, scope), scope, level: 0)
        case .set(let target, let expression): try assign(target, try evaluate(expression, scope), scope)
        case .setBlock(let target, let filter, let body): try setBlock(target, filter, body, scope)
        case .macro(let syntax, let name): scope.set(name, .function(.macro(macro(syntax, in: scope))))
        case .callBlock(let syntax, let call): try callBlock(syntax, call, scope)
        case .filterBlock(let filter, let body):
            let text = try captured { () throws(TemplateError) in try runInner(body, scope) }
            try write(try evaluateFilters(filter, on: .text(text), scope).printed)
        case .with(let pairs, let body): try runWith(pairs, body, scope)
        case .scope(let body): try runInner(body, scope)
        case .breakLoop: return .broken
        case .continueLoop: return .continued
        }
        return .onward
    }

    private func runInner(_ body: [Statement], _ scope: Scope) throws(TemplateError) {
        try deeper { () throws(TemplateError) in _ = try run(body, Scope(scope)) }
    }

    private func branch(
        _ branches: [(condition: Expression, body: [Statement])], _ otherwise: [Statement], _ scope: Scope
    ) throws(TemplateError) -> Flow {
        for branch in branches where try evaluate(branch.condition, scope).isTrue {
            return try deeper { () throws(TemplateError) in try run(branch.body, scope) }
        }
        return otherwise.isEmpty ? .onward : try deeper { () throws(TemplateError) in try run(otherwise, scope) }
    }

    private func setBlock(
        _ target: Target, _ filter: Expression?, _ body: [Statement], _ scope: Scope
    ) throws(TemplateError) {
        let text = Value.text(try captured { () throws(TemplateError) in try runInner(body, scope) })
        if let filter {
            try assign(target, try evaluateFilters(filter, on: text, scope), scope)
        } else {
            try assign(target, text, scope)
        }
    }

    private func runWith(
        _ pairs: [(Target, Expression)], _ body: [Statement], _ scope: Scope
    ) throws(TemplateError) {
        let inner = Scope(scope)
        // The values are those around the block, not of each other.
        for (target, expression) in pairs { try assign(target, try evaluate(expression, scope), inner) }
        try deeper { () throws(TemplateError) in _ = try run(body, inner) }
    }

    private func callBlock(_ syntax: MacroSyntax, _ call: Expression, _ scope: Scope) throws(TemplateError) {
        guard case .call(let callee, let arguments) = call.kind else { return }
        let function = try evaluate(callee, scope)
        var values = try evaluate(arguments, scope)
        values.named.append(("caller", .function(.macro(macro(syntax, in: scope)))))
        place = call.place
        try write(try self.call(function, values).printed)
    }

    func assign(_ target: Target, _ value: Value, _ scope: Scope) throws(TemplateError) {
        switch target {
        case .name(let name): scope.set(name, value)
        case .attribute(let name, let attribute, let at):
            place = at
            guard case .namespace(let namespace)? = scope[name] else {
                throw fail(.cannotAssign("`\(tree.names[name])` is no namespace and"))
            }
            if attribute.hasPrefix("_") { throw fail(.forbidden("an attribute that begins with `_`")) }
            namespace.set(attribute, value)
            try check(depth: namespace.depth)
        case .tuple(let targets):
            let pull = try items(of: value, for: "unpacking").pull
            var values: [Value] = []
            while values.count <= targets.count, let item = try pull() { values.append(item) }
            guard values.count == targets.count else {
                throw fail(.unpack(expected: targets.count, actual: values.count))
            }
            for (target, value) in zip(targets, values) { try assign(target, value, scope) }
        }
    }

    // MARK: Loops

    func runLoop(_ loop: Loop, over value: Value, _ scope: Scope, level: Int) throws(TemplateError) {
        try deeper { () throws(TemplateError) in
            place = loop.items.place
            let source = try items(of: value, for: "a `for` loop")
            let state: LoopState
            if let condition = loop.condition {
                state = LoopState(loop, scope, level: level, count: nil) { [self] () throws(TemplateError) -> Value? in
                    while let item = try source.pull() {
                        let inner = Scope(scope)
                        try assign(loop.target, item, inner)
                        if try evaluate(condition, inner).isTrue { return item }
                    }
                    return nil
                }
            } else {
                state = LoopState(loop, scope, level: level, count: source.count, pull: source.pull)
            }
            try turn(loop, state, scope)
        }
    }

    private func turn(_ loop: Loop, _ state: LoopState, _ scope: Scope) throws(TemplateError) {
        while let item = try state.advance() {
            try step()
            let inner = Scope(scope)
            inner.set(SpecialName.loop, .loop(state))
            try assign(loop.target, item, inner)
            if try run(loop.body, inner) == .broken { return }
        }
        if state.index0 < 0, !loop.otherwise.isEmpty { _ = try run(loop.otherwise, Scope(scope)) }
    }

    /// The items of a value one by one, and how many there are where that is known beforehand.
    func items(
        of value: Value, for operation: String
    ) throws(TemplateError) -> (count: Int?, pull: () throws(TemplateError) -> Value?) {
        switch value {
        case .list(let list): return (list.items.count, ValueGenerator(list.items).pull)
        case .mapping(let mapping): return (mapping.count, ValueGenerator(mapping.keys).pull)
        case .undefined(let undefined):
            if case .forbidden = undefined.reason { throw fail(undefined.cause) }
            return (0, { () throws(TemplateError) -> Value? in nil })
        case .text(let marked):
            var text = marked
            text.isMarkup = false
            let characters = text
            var offset = 0
            return (
                text.length,
                { [self] () throws(TemplateError) -> Value? in
                    guard offset < characters.count else { return nil }
                    let (_, length) = Text.scalar(in: characters.bytes, at: offset)
                    offset += length
                    return try charge(characters[offset - length..<offset])
                }
            )
        case .range(let range):
            var index = 0
            return (
                range.count,
                { () throws(TemplateError) -> Value? in
                    guard index < range.count else { return nil }
                    index += 1
                    return .integer(range[index - 1])
                }
            )
        case .generator(let generator): return (nil, generator.pull)
        case .loop(let loop): return (nil, loop.advance)
        default: throw fail(.wrongKind(operation: operation, kind: value.kind))
        }
    }

    /// All items of a value at once.
    func array(of value: Value, for operation: String) throws(TemplateError) -> [Value] {
        if case .list(let list) = value { return list.items }
        if case .mapping(let mapping) = value { return mapping.keys }
        let pull = try items(of: value, for: operation).pull
        var result: [Value] = []
        while let item = try pull() {
            try step()
            try charge(bytes: Self.itemBytes)
            result.append(item)
        }
        return result
    }
}

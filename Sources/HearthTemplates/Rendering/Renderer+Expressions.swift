/// Arguments of a call, evaluated.
struct CallArguments {
    var positional: [Value] = []
    var named: [(name: String, value: Value)] = []
}

extension Renderer {
    func evaluate(_ expression: Expression, _ scope: Scope) throws(TemplateError) -> Value {
        try step()
        switch expression.kind {
        case .literal(let literal): return value(of: literal)
        case .name(let name): return try variable(name, scope)
        default: return try deeper { () throws(TemplateError) in try evaluateDeep(expression, scope) }
        }
    }

    private func value(of literal: Literal) -> Value {
        switch literal {
        case .none: .none
        case .bool(let flag): .bool(flag)
        case .integer(let value): .integer(value)
        case .float(let value): .float(value)
        case .text(let text): .text(text)
        }
    }

    private func variable(_ id: NameID, _ scope: Scope) throws(TemplateError) -> Value {
        if let value = scope[id] { return value }
        let name = tree.names[id]
        if let global = GlobalFunction(rawValue: name) { return .function(.global(global)) }
        return .undefined(Undefined(.name(name)))
    }

    private func evaluateDeep(_ expression: Expression, _ scope: Scope) throws(TemplateError) -> Value {
        switch expression.kind {
        case .literal, .name: return try evaluate(expression, scope)
        case .list(let items): return try list(try evaluate(items, scope))
        case .tuple(let items): return try list(try evaluate(items, scope), .tuple)
        case .mapping(let pairs): return try makeMapping(pairs, scope)
        case .attribute(let base, let name):
            let value = try evaluate(base, scope)
            place = expression.place
            return try attribute(name, of: value)
        case .item(let base, let key):
            let value = try evaluate(base, scope)
            let index = try evaluate(key, scope)
            place = expression.place
            return try item(index, of: value)
        case .slice(let base, let start, let stop, let step):
            return try slice(base, start, stop, step, at: expression.place, scope)
        case .call(let callee, let arguments): return try evaluateCall(callee, arguments, at: expression.place, scope)
        case .filter: return try evaluateFilters(expression, on: nil, scope)
        case .test(let input, let test, let arguments):
            let value = try evaluate(input, scope)
            let values = try evaluate(arguments, scope)
            place = expression.place
            return .bool(try apply(test, to: value, values))
        case .not(let inner): return .bool(!(try evaluate(inner, scope)).isTrue)
        case .sign(let inner, let isNegative):
            let value = try evaluate(inner, scope)
            place = expression.place
            return try signed(value, isNegative)
        case .and(let parts): return try first(of: parts, where: false, scope)
        case .or(let parts): return try first(of: parts, where: true, scope)
        case .compare(let first, let rest): return try compare(first, rest, at: expression.place, scope)
        case .arithmetic(let first, let rest): return try calculate(first, rest, at: expression.place, scope)
        case .concatenation(let parts): return try concatenate(parts, scope)
        case .choice(let condition, let then, let otherwise):
            if try evaluate(condition, scope).isTrue { return try evaluate(then, scope) }
            if let otherwise { return try evaluate(otherwise, scope) }
            return .undefined(Undefined(.hint("the `if` inside an expression is false and has no `else`")))
        }
    }

    private func evaluate(_ parts: [Expression], _ scope: Scope) throws(TemplateError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(parts.count)
        for part in parts { values.append(try evaluate(part, scope)) }
        return values
    }

    func evaluate(_ arguments: Arguments, _ scope: Scope) throws(TemplateError) -> CallArguments {
        if arguments.isEmpty { return CallArguments() }
        var values = CallArguments(positional: try evaluate(arguments.positional, scope))
        for (name, expression) in arguments.named { values.named.append((name, try evaluate(expression, scope))) }
        if let list = arguments.list {
            values.positional.append(
                contentsOf: try array(of: try evaluate(list, scope), for: "`*` before an argument"))
        }
        if let mapping = arguments.mapping {
            guard case .mapping(let pairs) = try evaluate(mapping, scope) else {
                throw fail(.badArguments(function: "**", problem: "needs a mapping"))
            }
            for (key, value) in zip(pairs.keys, pairs.values) {
                guard case .text(let name) = key else {
                    throw fail(.badArguments(function: "**", problem: "needs keys that are texts"))
                }
                values.named.append((name.string, value))
            }
        }
        return values
    }

    private func makeMapping(
        _ pairs: [(key: Expression, value: Expression)], _ scope: Scope
    ) throws(TemplateError) -> Value {
        var result: [(key: ValueKey, name: Value, value: Value)] = []
        for pair in pairs {
            let name = try evaluate(pair.key, scope)
            let value = try evaluate(pair.value, scope)
            guard let key = ValueKey(name) else {
                place = pair.key.place
                throw fail(.wrongKind(operation: "a key of a mapping", kind: name.kind))
            }
            result.append((key, name, value))
        }
        return try mapping(result)
    }

    /// `and` gives its first false part, `or` its first true one, else the last.
    private func first(of parts: [Expression], where wanted: Bool, _ scope: Scope) throws(TemplateError) -> Value {
        var value = Value.none
        for part in parts {
            value = try evaluate(part, scope)
            if value.isTrue == wanted { return value }
        }
        return value
    }

    private func compare(
        _ first: Expression, _ rest: [(Comparison, Expression)], at start: TemplatePlace, _ scope: Scope
    ) throws(TemplateError) -> Value {
        var left = try evaluate(first, scope)
        for (comparison, expression) in rest {
            let right = try evaluate(expression, scope)
            place = start
            guard try compare(left, comparison, right) else { return .bool(false) }
            left = right
        }
        return .bool(true)
    }

    private func concatenate(_ parts: [Expression], _ scope: Scope) throws(TemplateError) -> Value {
        var result = Text([], .template)
        for part in parts { result.append(try evaluate(part, scope).printed) }
        return try charge(result)
    }

    private func slice(
        _ base: Expression, _ start: Expression?, _ stop: Expression?, _ step: Expression?, at begin: TemplatePlace,
        _ scope: Scope
    ) throws(TemplateError) -> Value {
        let value = try evaluate(base, scope)
        var bounds: [Int?] = []
        for part in [start, stop, step] {
            guard let part else {
                bounds.append(nil)
                continue
            }
            let bound = try evaluate(part, scope)
            place = begin
            if bound.isNone {
                bounds.append(nil)
            } else if let number = bound.integer {
                bounds.append(number)
            } else {
                throw fail(.wrongKind(operation: "a slice's bound", kind: bound.kind))
            }
        }
        place = begin
        return try slice(value, bounds[0], bounds[1], bounds[2])
    }

    // MARK: Calls

    private func evaluateCall(
        _ callee: Expression, _ arguments: Arguments, at start: TemplatePlace, _ scope: Scope
    ) throws(TemplateError) -> Value {
        // A method is called on its value without being made into one of its own.
        if case .attribute(let base, let name) = callee.kind {
            let value = try evaluate(base, scope)
            place = callee.place
            if let method = MethodFunction.method(name, of: value) {
                let values = try evaluate(arguments, scope)
                place = start
                return try call(method, on: value, values)
            }
            let function = try attribute(name, of: value)
            let values = try evaluate(arguments, scope)
            place = start
            return try call(function, values)
        }
        let function = try evaluate(callee, scope)
        let values = try evaluate(arguments, scope)
        place = start
        return try call(function, values)
    }

    func call(_ function: Value, _ arguments: CallArguments) throws(TemplateError) -> Value {
        switch function {
        case .function(.global(let global)): return try call(global, arguments)
        case .function(.macro(let macro)): return try call(macro, arguments)
        case .function(.method(let method, let box)): return try call(method, on: box.value, arguments)
        case .function(.cycler(let cycler, let verb)): return try call(cycler, verb)
        case .function(.joiner(let joiner)):
            defer { joiner.isUsed = true }
            return joiner.isUsed ? joiner.separator : .text(.empty)
        case .function(.loopCycle(let loop)):
            guard !arguments.positional.isEmpty else {
                throw fail(.badArguments(function: "loop.cycle", problem: "needs at least one value"))
            }
            return arguments.positional[max(0, loop.index0) % arguments.positional.count]
        case .function(.loopChanged(let loop)):
            let values = arguments.positional
            let isSame = loop.lastChanged.map {
                $0.count == values.count && zip($0, values).allSatisfy { $0.equals($1) }
            }
            loop.lastChanged = values
            return .bool(isSame != true)
        case .loop(let loop): return try call(loop, arguments)
        case .undefined(let undefined): throw fail(undefined.cause)
        default: throw fail(.notCallable(function.kind))
        }
    }

    private func call(_ cycler: Cycler, _ verb: CyclerVerb) throws(TemplateError) -> Value {
        switch verb {
        case .object: throw fail(.notCallable("a cycler"))
        case .reset:
            cycler.place = 0
            return .none
        case .next:
            defer { cycler.place = (cycler.place + 1) % cycler.items.count }
            return cycler.items[cycler.place]
        }
    }

    private func call(_ loop: LoopState, _ arguments: CallArguments) throws(TemplateError) -> Value {
        guard loop.syntax.isRecursive, arguments.positional.count == 1 else {
            throw fail(.badArguments(function: "loop", problem: "needs one value, and a `for` marked `recursive`"))
        }
        let text = try captured { () throws(TemplateError) in
            try runLoop(loop.syntax, over: arguments.positional[0], loop.scope, level: loop.level + 1)
        }
        return .text(text)
    }

    private func call(_ macro: MacroValue, _ arguments: CallArguments) throws(TemplateError) -> Value {
        let syntax = macro.syntax
        let scope = Scope(macro.scope)
        var named = arguments.named
        var hasCaller = false
        for (index, parameter) in syntax.parameters.enumerated() {
            if parameter.text == "caller" { hasCaller = true }
            if index < arguments.positional.count {
                scope.set(parameter.name, arguments.positional[index])
            } else if let place = named.lastIndex(where: { $0.name == parameter.text }) {
                scope.set(parameter.name, named.remove(at: place).value)
            } else if let standard = parameter.standard {
                scope.set(parameter.name, try evaluate(standard, scope))
            } else {
                scope.set(
                    parameter.name, .undefined(Undefined(.hint("parameter `\(parameter.text)` was not provided"))))
            }
        }
        if syntax.usesCaller, !hasCaller {
            let place = named.lastIndex { $0.name == "caller" }
            let caller = place.map { named.remove(at: $0).value }
            scope.set(SpecialName.caller, caller ?? .undefined(Undefined(.hint("no caller was defined"))))
        }
        if syntax.takesNamed {
            let pairs = named.map { (ValueKey.text(Array($0.name.utf8)), Value.text($0.name), $0.value) }
            scope.set(SpecialName.kwargs, try mapping(pairs))
        } else if let extra = named.first {
            throw fail(.badArguments(function: syntax.name, problem: "takes no argument named `\(extra.name)`"))
        }
        let extra = Array(arguments.positional.dropFirst(syntax.parameters.count))
        if syntax.takesMore {
            scope.set(SpecialName.varargs, try list(extra, .tuple))
        } else if !extra.isEmpty {
            throw fail(
                .badArguments(function: syntax.name, problem: "takes no more than \(syntax.parameters.count) values"))
        }
        return .text(
            try captured { () throws(TemplateError) in
                try deeper { () throws(TemplateError) in _ = try run(syntax.body, scope) }
            })
    }

    // MARK: Filters

    /// A chain of filters; `input` is the text of a block where the chain has no expression before it.
    func evaluateFilters(_ expression: Expression, on input: Value?, _ scope: Scope) throws(TemplateError) -> Value {
        guard case .filter(let inner, let filter, let arguments) = expression.kind else {
            return try evaluate(expression, scope)
        }
        let value: Value
        if let inner {
            value =
                if case .filter = inner.kind { try evaluateFilters(inner, on: input, scope) } else {
                    try evaluate(inner, scope)
                }
        } else {
            value = input ?? .text(.empty)
        }
        let values = try evaluate(arguments, scope)
        place = expression.place
        return try apply(filter, to: value, values)
    }
}

extension Renderer {
    func compare(_ left: Value, _ comparison: Comparison, _ right: Value) throws(TemplateError) -> Bool {
        switch comparison {
        case .equal: return left.equals(right)
        case .notEqual: return !left.equals(right)
        case .less: return try precedes(left, right, comparison)
        case .greater: return try precedes(right, left, comparison)
        case .lessEqual:
            if left.equals(right), left.precedes(right) != nil { return true }
            return try precedes(left, right, comparison)
        case .greaterEqual:
            if left.equals(right), left.precedes(right) != nil { return true }
            return try precedes(right, left, comparison)
        case .isIn: return try contains(right, left)
        case .isNotIn: return try !contains(right, left)
        }
    }

    func precedes(_ left: Value, _ right: Value, _ comparison: Comparison = .less) throws(TemplateError) -> Bool {
        if case .undefined(let undefined) = left { throw fail(undefined.cause) }
        if case .undefined(let undefined) = right { throw fail(undefined.cause) }
        guard let result = left.precedes(right) else {
            throw fail(.unsupported(operation: comparison.rawValue, left: left.kind, right: right.kind))
        }
        return result
    }

    func contains(_ container: Value, _ item: Value) throws(TemplateError) -> Bool {
        switch container {
        case .text(let text):
            guard case .text(let part) = item else {
                if case .undefined(let undefined) = item { throw fail(undefined.cause) }
                throw fail(.unsupported(operation: "in", left: item.kind, right: container.kind))
            }
            try step(text.count >> 6)
            return text.contains(part)
        case .mapping(let mapping):
            if let key = ValueKey(item) { return mapping[key] != nil }
            switch item {
            case .list, .mapping: throw fail(.wrongKind(operation: "a key of a mapping", kind: item.kind))
            default: return false
            }
        case .list(let list):
            try step(list.items.count >> 4)
            return list.items.contains { $0.equals(item) }
        case .range(let range):
            let (low, high) = (min(range.start, range.stop), max(range.start, range.stop))
            guard let value = item.integer, low <= value, value <= high, range.count > 0 else { return false }
            let distance = value - range.start
            return distance % range.step == 0 && (0..<range.count).contains(distance / range.step)
        default:
            let pull = try items(of: container, for: "`in`").pull
            while let other = try pull() {
                if other.equals(item) { return true }
            }
            return false
        }
    }

    func signed(_ value: Value, _ isNegative: Bool) throws(TemplateError) -> Value {
        if let number = value.integer {
            return try isNegative ? integer(0.subtractingReportingOverflow(number)) : .integer(number)
        }
        if case .float(let number) = value { return .float(isNegative ? -number : number) }
        if case .undefined(let undefined) = value { throw fail(undefined.cause) }
        throw fail(.wrongKind(operation: "a sign", kind: value.kind))
    }

    private func integer(_ result: (partialValue: Int, overflow: Bool)) throws(TemplateError) -> Value {
        if result.overflow { throw fail(.integerOverflow) }
        return .integer(result.partialValue)
    }

    func calculate(
        _ first: Expression, _ rest: [(Arithmetic, Expression)], at start: TemplatePlace, _ scope: Scope
    ) throws(TemplateError) -> Value {
        var left = try evaluate(first, scope)
        for (operation, expression) in rest {
            let right = try evaluate(expression, scope)
            place = start
            left = try calculate(left, operation, right)
        }
        return left
    }

    func calculate(_ left: Value, _ operation: Arithmetic, _ right: Value) throws(TemplateError) -> Value {
        if let a = left.integer, let b = right.integer { return try calculate(a, operation, b) }
        if let a = left.double, let b = right.double { return try calculate(a, operation, b) }
        switch (left, operation, right) {
        case (.text(let a), .modulo, _): return try charge(try PercentFormat.format(a, with: right, self))
        case (.undefined(let undefined), _, _), (_, _, .undefined(let undefined)): throw fail(undefined.cause)
        case (.text(let a), .add, .text(let b)):
            var sum = b.isMarkup && !a.isMarkup ? a.escaped : a
            sum.append(a.isMarkup && !b.isMarkup ? b.escaped : b)
            return try charge(sum)
        case (.list(let a), .add, .list(let b)) where a.kind == b.kind && (a.kind == .list || a.kind == .tuple):
            try charge(bytes: (a.items.count + b.items.count) * Self.itemBytes)
            return try list(a.items + b.items, a.kind)
        case (_, .multiply, _):
            if let times = right.integer, let product = try repeated(left, times) { return product }
            if let times = left.integer, let product = try repeated(right, times) { return product }
        default: break
        }
        throw fail(.unsupported(operation: operation.rawValue, left: left.kind, right: right.kind))
    }

    private func repeated(_ value: Value, _ times: Int) throws(TemplateError) -> Value? {
        let times = max(0, times)
        switch value {
        case .text(let text):
            // Charged before it is made.
            try charge(bytes: text.count + text.runs.count * Self.runBytes, times: times)
            return .text(text.repeated(times))
        case .list(let list) where list.kind == .list || list.kind == .tuple:
            try charge(bytes: list.items.count * Self.itemBytes, times: times)
            return try self.list(Array(repeatElement(list.items, count: times).joined()), list.kind)
        default: return nil
        }
    }

    private func calculate(_ a: Int, _ operation: Arithmetic, _ b: Int) throws(TemplateError) -> Value {
        switch operation {
        case .add: return try integer(a.addingReportingOverflow(b))
        case .subtract: return try integer(a.subtractingReportingOverflow(b))
        case .multiply: return try integer(a.multipliedReportingOverflow(by: b))
        case .divide:
            if b == 0 { throw fail(.divisionByZero) }
            return .float(Double(a) / Double(b))
        case .floorDivide, .modulo:
            if b == 0 { throw fail(.divisionByZero) }
            let quotient = a.dividedReportingOverflow(by: b)
            if quotient.overflow { return operation == .modulo ? .integer(0) : try integer(quotient) }
            let rest = a % b
            // Python rounds down, so that the rest has the divisor's sign.
            let isRounded = rest != 0 && (rest < 0) != (b < 0)
            if operation == .modulo { return .integer(isRounded ? rest + b : rest) }
            return .integer(isRounded ? quotient.partialValue - 1 : quotient.partialValue)
        case .power:
            if b < 0 { return try calculate(Double(a), .power, Double(b)) }
            var result = 1
            var (base, exponent) = (a, b)
            while exponent > 0 {
                if exponent & 1 == 1 {
                    let product = result.multipliedReportingOverflow(by: base)
                    if product.overflow { throw fail(.integerOverflow) }
                    result = product.partialValue
                }
                exponent >>= 1
                if exponent > 0 {
                    let square = base.multipliedReportingOverflow(by: base)
                    if square.overflow { throw fail(.integerOverflow) }
                    base = square.partialValue
                }
            }
            return .integer(result)
        }
    }

    private func calculate(_ a: Double, _ operation: Arithmetic, _ b: Double) throws(TemplateError) -> Value {
        switch operation {
        case .add: return .float(a + b)
        case .subtract: return .float(a - b)
        case .multiply: return .float(a * b)
        case .divide, .floorDivide, .modulo:
            if b == 0 { throw fail(.divisionByZero) }
            if operation == .divide { return .float(a / b) }
            if operation == .floorDivide { return .float((a / b).rounded(.down)) }
            let rest = a.truncatingRemainder(dividingBy: b)
            return .float(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest)
        case .power:
            guard let result = PlatformNumbers.power(a, b) else { throw fail(.divisionByZero) }
            return .float(result)
        }
    }

    // MARK: Attributes, items, slices

    /// `value.name`: a method or attribute first, then an item.
    func attribute(_ name: String, of value: Value) throws(TemplateError) -> Value {
        if case .undefined(let undefined) = value { throw fail(undefined.cause) }
        if let found = try ownAttribute(name, of: value) { return found }
        if case .mapping(let mapping) = value, let item = mapping[name] { return item }
        return .undefined(Undefined(.attribute(name, kind: value.kind)))
    }

    /// `value[key]`: an item first, then an attribute.
    func item(_ key: Value, of value: Value) throws(TemplateError) -> Value {
        switch (value, key) {
        case (.undefined(let undefined), _): throw fail(undefined.cause)
        case (.mapping(let mapping), _):
            if let key = ValueKey(key), let item = mapping[key] { return item }
        case (.list(let list), _) where list.kind == .list || list.kind == .tuple:
            if let index = key.integer, let place = Self.place(index, list.items.count) { return list.items[place] }
        case (.range(let range), _):
            if let index = key.integer, let place = Self.place(index, range.count) { return .integer(range[place]) }
        case (.text(let text), _):
            guard let index = key.integer else { break }
            try step(text.count >> 6)
            let bounds = text.boundaries
            if let place = Self.place(index, bounds.count - 1) { return .text(text[bounds[place]..<bounds[place + 1]]) }
        default: break
        }
        if case .text(let name) = key, let found = try ownAttribute(name.string, of: value) { return found }
        return .undefined(Undefined(.element(key.repr.string, kind: value.kind)))
    }

    private static func place(_ index: Int, _ count: Int) -> Int? {
        let place = index < 0 ? index + count : index
        return (0..<count).contains(place) ? place : nil
    }

    private func ownAttribute(_ name: String, of value: Value) throws(TemplateError) -> Value? {
        if name.hasPrefix("_") {
            if case .mapping = value { return nil }
            return .undefined(Undefined(.forbidden("the attribute `\(name)`")))
        }
        switch value {
        case .namespace(let namespace): return namespace[name]
        case .loop(let loop): return try loopAttribute(name, loop)
        case .function(.macro(let macro)): return name == "name" ? .text(macro.syntax.name) : nil
        case .function(.cycler(let cycler, .object)):
            switch name {
            case "next": return .function(.cycler(cycler, .next))
            case "reset": return .function(.cycler(cycler, .reset))
            case "current": return cycler.items[cycler.place]
            default: return nil
            }
        case .list(let list):
            if let place = list.fields.firstIndex(of: name) { return list.items[place] }
        default: break
        }
        if MethodFunction.isMutating(name, of: value) {
            return .undefined(Undefined(.forbidden("`\(name)`, which changes \(value.kind),")))
        }
        return MethodFunction.method(name, of: value).map { .function(.method($0, BoxedValue(value))) }
    }

    private func loopAttribute(_ name: String, _ loop: LoopState) throws(TemplateError) -> Value? {
        switch name {
        case "index": return .integer(loop.index0 + 1)
        case "index0": return .integer(loop.index0)
        case "first": return .bool(loop.index0 == 0)
        case "last": return .bool(try loop.next() == nil)
        case "length": return .integer(try loop.count())
        case "revindex": return .integer(try loop.count() - loop.index0)
        case "revindex0": return .integer(try loop.count() - loop.index0 - 1)
        case "depth": return .integer(loop.level + 1)
        case "depth0": return .integer(loop.level)
        case "previtem":
            return loop.index0 == 0 ? .undefined(Undefined(.hint("there is no previous item"))) : loop.previous
        case "nextitem": return try loop.next() ?? .undefined(Undefined(.hint("there is no next item")))
        case "cycle": return .function(.loopCycle(loop))
        case "changed": return .function(.loopChanged(loop))
        default: return nil
        }
    }

    /// Python's slices, with steps of either sign.
    func slice(_ value: Value, _ start: Int?, _ stop: Int?, _ step: Int?) throws(TemplateError) -> Value {
        let step = step ?? 1
        if step == 0 { throw fail(.badArguments(function: "[::]", problem: "needs a step other than 0")) }
        func span(_ count: Int) -> (first: Int, last: Int) {
            let low = step < 0 ? -1 : 0
            let high = step < 0 ? count - 1 : count
            func clamp(_ bound: Int?, _ standard: Int) -> Int {
                guard let bound else { return standard }
                return max(low, min(high, bound < 0 ? bound &+ count : bound))
            }
            return (clamp(start, step < 0 ? high : low), clamp(stop, step < 0 ? low : high))
        }
        func indices(_ count: Int) -> [Int] {
            let (first, last) = span(count)
            // A longer step lands outside all the same.
            return Array(stride(from: first, to: last, by: max(-count - 1, min(count + 1, step))))
        }
        switch value {
        case .undefined(let undefined): throw fail(undefined.cause)
        case .text(let text):
            let bounds = text.boundaries
            let chosen = indices(bounds.count - 1)
            try charge(bytes: chosen.count)
            if step == 1 {
                guard let first = chosen.first, let last = chosen.last else { return .text(.empty) }
                return .text(text[bounds[first]..<bounds[last + 1]])
            }
            var result = Text([], .template)
            result.isMarkup = text.isMarkup
            for index in chosen { result.append(text[bounds[index]..<bounds[index + 1]]) }
            return .text(result)
        case .list(let list) where list.kind == .list || list.kind == .tuple:
            return try self.list(indices(list.items.count).map { list.items[$0] }, list.kind)
        case .range(let range):
            let (first, last) = span(range.count)
            // Ranges are short (the sandbox sees to it), but a step can be anything.
            let (product, overflow) = range.step.multipliedReportingOverflow(by: step)
            if overflow { throw fail(.integerOverflow) }
            return .range(ValueRange(start: range[first], stop: range[last], step: product))
        default: throw fail(.wrongKind(operation: "a slice", kind: value.kind))
        }
    }
}

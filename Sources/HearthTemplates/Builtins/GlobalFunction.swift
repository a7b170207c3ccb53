/// Functions that every template can call: Jinja's, and those that transformers adds.
enum GlobalFunction: String {
    case raiseException = "raise_exception"
    case strftimeNow = "strftime_now"
    case namespace
    case range
    case dict
    case cycler
    case joiner
}

extension Renderer {
    /// Jinja's sandbox refuses longer ranges.
    private static let longestRange = 100_000

    func call(_ function: GlobalFunction, _ arguments: CallArguments) throws(TemplateError) -> Value {
        let name = function.rawValue
        switch function {
        case .raiseException:
            let reader = try ArgumentReader(name, arguments, ["message"], self)
            throw fail(.raised(try reader.value(0).printed.string))
        case .strftimeNow:
            let format = try ArgumentReader(name, arguments, ["format"], self).text(0)
            guard let date = now ?? PlatformNumbers.localTime() else {
                throw fail(.badArguments(function: name, problem: "found no time of day"))
            }
            let (text, unknown) = date.formatted(format)
            guard let text else { throw fail(.badFormat("has `\(unknown)`, which is no part of a date")) }
            return try charge(text)
        case .namespace:
            let namespace = try makeNamespace()
            for (key, value) in try pairs(name, arguments) {
                guard case .text(let key) = key else {
                    throw fail(.badArguments(function: name, problem: "needs keys that are texts"))
                }
                if key.bytes.first == UInt8(ascii: "_") { throw fail(.forbidden("an attribute that begins with `_`")) }
                namespace.set(key.string, value)
            }
            try check(depth: namespace.depth)
            return .namespace(namespace)
        case .dict:
            var result: [(key: ValueKey, name: Value, value: Value)] = []
            for (key, value) in try pairs(name, arguments) {
                guard let place = ValueKey(key) else {
                    throw fail(.wrongKind(operation: "a key of a mapping", kind: key.kind))
                }
                result.append((place, key, value))
            }
            return try mapping(result)
        case .range: return try range(arguments)
        case .cycler:
            guard !arguments.positional.isEmpty else {
                throw fail(.badArguments(function: name, problem: "needs at least one value"))
            }
            return .function(.cycler(Cycler(arguments.positional), .object))
        case .joiner:
            let reader = try ArgumentReader(name, arguments, ["sep"], self)
            return .function(.joiner(Joiner(reader.optional(0) ?? .text(", "))))
        }
    }

    /// The pairs that `dict` and `namespace` are made of: of a mapping or of a list of pairs, then the named values.
    private func pairs(_ name: String, _ arguments: CallArguments) throws(TemplateError) -> [(Value, Value)] {
        guard arguments.positional.count <= 1 else {
            throw fail(.badArguments(function: name, problem: "takes one value at most, and named ones"))
        }
        var result: [(Value, Value)] = []
        switch arguments.positional.first {
        case nil: break
        case .mapping(let mapping)?: result = Array(zip(mapping.keys, mapping.values))
        case let value?:
            for item in try array(of: value, for: "`\(name)`") {
                let pair = try array(of: item, for: "`\(name)`")
                guard pair.count == 2 else { throw fail(.unpack(expected: 2, actual: pair.count)) }
                result.append((pair[0], pair[1]))
            }
        }
        return result + arguments.named.map { (.text($0.name), $0.value) }
    }

    private func range(_ arguments: CallArguments) throws(TemplateError) -> Value {
        var bounds: [Int] = []
        for value in arguments.positional {
            if case .undefined(let undefined) = value { throw fail(undefined.cause) }
            guard let bound = value.integer else {
                throw fail(.badArguments(function: "range", problem: "needs integers, not \(value.kind)"))
            }
            // So that no sum of a bound and a step overflows.
            guard bound.magnitude < 1 << 53 else {
                throw fail(.badArguments(function: "range", problem: "needs integers below 2^53"))
            }
            bounds.append(bound)
        }
        guard (1...3).contains(bounds.count), arguments.named.isEmpty else {
            throw fail(.badArguments(function: "range", problem: "takes one to three integers"))
        }
        let start = bounds.count == 1 ? 0 : bounds[0]
        let stop = bounds.count == 1 ? bounds[0] : bounds[1]
        let step = bounds.count == 3 ? bounds[2] : 1
        if step == 0 { throw fail(.badArguments(function: "range", problem: "needs a step other than 0")) }
        guard ValueRange(start: start, stop: stop, step: step).count <= Self.longestRange else {
            throw fail(.badArguments(function: "range", problem: "is longer than \(Self.longestRange) numbers"))
        }
        return .range(ValueRange(start: start, stop: stop, step: step))
    }
}

/// Expressions, from the loosest binding to the tightest.
extension TemplateParser {
    mutating func expression() throws(TemplateError) -> Expression {
        try deeper { (parser) throws(TemplateError) in try parser.choice() }
    }

    /// `a, b` without parentheses is a tuple.
    mutating func tupleOrExpression(allowsChoice: Bool = true, endName: String? = nil) throws(TemplateError)
        -> Expression
    {
        let place = token.place
        var items: [Expression] = []
        var isTuple = false
        while !isTupleEnd(endName) {
            items.append(try allowsChoice ? expression() : deeper { (parser) throws(TemplateError) in try parser.or() })
            guard skip(.comma) else { break }
            isTuple = true
        }
        if items.count == 1, !isTuple { return items[0] }
        guard isTuple else { throw unexpected("an expression") }
        return try make(.tuple(items), at: place, over: items)
    }

    private func isTupleEnd(_ endName: String?) -> Bool {
        switch token.kind {
        case .outputEnd, .tagEnd, .symbol(.rightParenthesis): true
        case .name(let name): name == endName
        default: false
        }
    }

    private mutating func choice() throws(TemplateError) -> Expression {
        let place = token.place
        let doubts = unknown.count
        var result = try or()
        while skip(name: "if") {
            // What stands before an inline `if` may never be reached.
            unknown.removeSubrange(doubts...)
            let condition = try or()
            var otherwise: Expression?
            if skip(name: "else") {
                otherwise = try deeper { (parser) throws(TemplateError) in
                    try parser.conditional { (parser) throws(TemplateError) in try parser.choice() }
                }
            }
            result = try make(
                .choice(condition: condition, then: result, otherwise: otherwise), at: place,
                over: [result, condition, otherwise])
        }
        return result
    }

    private mutating func or() throws(TemplateError) -> Expression {
        let place = token.place
        var parts = [try and()]
        while skip(name: "or") { parts.append(try and()) }
        return parts.count == 1 ? parts[0] : try make(.or(parts), at: place, over: parts)
    }

    private mutating func and() throws(TemplateError) -> Expression {
        let place = token.place
        var parts = [try not()]
        while skip(name: "and") { parts.append(try not()) }
        return parts.count == 1 ? parts[0] : try make(.and(parts), at: place, over: parts)
    }

    private mutating func not() throws(TemplateError) -> Expression {
        let place = token.place
        guard skip(name: "not") else { return try comparison() }
        let inner = try deeper { (parser) throws(TemplateError) in try parser.not() }
        return try make(.not(inner), at: place, over: [inner])
    }

    private mutating func comparison() throws(TemplateError) -> Expression {
        let first = try sum()
        var rest: [(Comparison, Expression)] = []
        let place = token.place
        while let comparison = comparisonOperator() { rest.append((comparison, try sum())) }
        if rest.isEmpty { return first }
        return try make(.compare(first, rest), at: place, over: [first] + rest.map(\.1))
    }

    private mutating func comparisonOperator() -> Comparison? {
        switch token.kind {
        case .symbol(let symbol):
            guard let comparison = Comparison(rawValue: symbol.rawValue) else { return nil }
            advance()
            return comparison
        case .name("in"):
            advance()
            return .isIn
        case .name("not"):
            guard next.kind == .name("in") else { return nil }
            advance()
            advance()
            return .isNotIn
        default: return nil
        }
    }

    private mutating func sum() throws(TemplateError) -> Expression {
        try chain([.plus: .add, .minus: .subtract]) { (parser) throws(TemplateError) in try parser.concatenation() }
    }

    private mutating func concatenation() throws(TemplateError) -> Expression {
        let place = token.place
        var parts = [try product()]
        while skip(.tilde) { parts.append(try product()) }
        return parts.count == 1 ? parts[0] : try make(.concatenation(parts), at: place, over: parts)
    }

    private mutating func product() throws(TemplateError) -> Expression {
        try chain([.multiply: .multiply, .divide: .divide, .floorDivide: .floorDivide, .modulo: .modulo]) {
            (parser) throws(TemplateError) in try parser.power()
        }
    }

    private mutating func power() throws(TemplateError) -> Expression {
        try chain([.power: .power]) { (parser) throws(TemplateError) in try parser.unary() }
    }

    private mutating func chain(
        _ operators: [TemplateToken.Symbol: Arithmetic],
        _ part: (inout TemplateParser) throws(TemplateError) -> Expression
    ) throws(TemplateError) -> Expression {
        let first = try part(&self)
        let place = token.place
        var rest: [(Arithmetic, Expression)] = []
        while case .symbol(let symbol) = token.kind, let operation = operators[symbol] {
            advance()
            rest.append((operation, try part(&self)))
        }
        if rest.isEmpty { return first }
        return try make(.arithmetic(first, rest), at: place, over: [first] + rest.map(\.1))
    }

    private mutating func unary(filters: Bool = true) throws(TemplateError) -> Expression {
        let place = token.place
        var result: Expression
        if isSymbol(.minus) || isSymbol(.plus) {
            let isNegative = isSymbol(.minus)
            advance()
            let inner = try deeper { (parser) throws(TemplateError) in try parser.unary(filters: false) }
            result = try make(.sign(inner, isNegative: isNegative), at: place, over: [inner])
        } else {
            result = try primary()
        }
        result = try postfix(result)
        while filters {
            if isSymbol(.pipe) {
                result = try filterChain(result)!
            } else if isName("is") {
                result = try test(result)
            } else if isSymbol(.leftParenthesis) {
                result = try call(result)
            } else {
                break
            }
        }
        return result
    }

    private mutating func primary() throws(TemplateError) -> Expression {
        let start = token
        switch start.kind {
        case .name(let name):
            advance()
            switch name {
            case "true", "True": return try make(.literal(.bool(true)), at: start.place)
            case "false", "False": return try make(.literal(.bool(false)), at: start.place)
            case "none", "None": return try make(.literal(.none), at: start.place)
            default:
                mention(name)
                return try make(.name(id(name)), at: start.place)
            }
        case .string:
            var text: [UInt8] = []
            while case .string(let part) = token.kind {
                text.append(contentsOf: part)
                advance()
            }
            return try make(.literal(.text(Text(text, .template))), at: start.place)
        case .integer(let value):
            advance()
            return try make(.literal(.integer(value)), at: start.place)
        case .float(let value):
            advance()
            return try make(.literal(.float(value)), at: start.place)
        case .symbol(.leftParenthesis):
            advance()
            if skip(.rightParenthesis) { return try make(.tuple([]), at: start.place) }
            let inner = try tupleOrExpression()
            try expect(.rightParenthesis)
            return inner
        case .symbol(.leftBracket): return try list()
        case .symbol(.leftBrace): return try mapping()
        default: throw unexpected("an expression")
        }
    }

    private mutating func list() throws(TemplateError) -> Expression {
        let place = token.place
        try expect(.leftBracket)
        var items: [Expression] = []
        while !isSymbol(.rightBracket) {
            items.append(try expression())
            guard skip(.comma) else { break }
        }
        try expect(.rightBracket)
        return try make(.list(items), at: place, over: items)
    }

    private mutating func mapping() throws(TemplateError) -> Expression {
        let place = token.place
        try expect(.leftBrace)
        var pairs: [(key: Expression, value: Expression)] = []
        while !isSymbol(.rightBrace) {
            let key = try expression()
            try expect(.colon)
            pairs.append((key, try expression()))
            guard skip(.comma) else { break }
        }
        try expect(.rightBrace)
        return try make(.mapping(pairs), at: place, over: pairs.flatMap { [$0.key, $0.value] })
    }

    private mutating func postfix(_ start: Expression) throws(TemplateError) -> Expression {
        var result = start
        while true {
            switch token.kind {
            case .symbol(.dot): result = try attribute(result)
            case .symbol(.leftBracket): result = try subscripted(result)
            case .symbol(.leftParenthesis): result = try call(result)
            default: return result
            }
        }
    }

    private mutating func attribute(_ base: Expression) throws(TemplateError) -> Expression {
        let place = token.place
        advance()
        switch token.kind {
        case .name(let name):
            advance()
            return try make(.attribute(base, name), at: place, over: [base])
        case .integer(let value):
            let index = try make(.literal(.integer(value)), at: token.place)
            advance()
            return try make(.item(base, index), at: place, over: [base])
        default: throw unexpected("a name or a number")
        }
    }

    private mutating func subscripted(_ base: Expression) throws(TemplateError) -> Expression {
        let place = token.place
        advance()
        var bounds: [Expression?] = [nil]
        while !isSymbol(.rightBracket) {
            if bounds.count < 3, skip(.colon) {
                bounds.append(nil)
            } else {
                guard bounds.last! == nil else { throw unexpected("`]`") }
                bounds[bounds.count - 1] = try expression()
            }
        }
        if bounds.count == 1, bounds[0] == nil { throw unexpected("an expression") }
        advance()
        if bounds.count == 1 { return try make(.item(base, bounds[0]!), at: place, over: [base, bounds[0]]) }
        let step = bounds.count > 2 ? bounds[2] : nil
        return try make(
            .slice(base, start: bounds[0], stop: bounds[1], step: step), at: place, over: [base] + bounds)
    }

    private mutating func call(_ base: Expression) throws(TemplateError) -> Expression {
        let place = token.place
        let arguments = try arguments()
        return try make(.call(base, arguments), at: place, over: [base] + arguments.all)
    }

    private mutating func arguments() throws(TemplateError) -> Arguments {
        var result = Arguments()
        try expect(.leftParenthesis)
        while !isSymbol(.rightParenthesis) {
            if skip(.multiply) {
                guard result.list == nil, result.mapping == nil else { throw unexpected("`)`") }
                result.list = try expression()
            } else if skip(.power) {
                guard result.mapping == nil else { throw unexpected("`)`") }
                result.mapping = try expression()
            } else if case .name(let name) = token.kind, next.kind == .symbol(.assign) {
                guard result.mapping == nil else { throw unexpected("`)`") }
                advance()
                advance()
                result.named.append((name, try expression()))
            } else {
                guard result.named.isEmpty, result.list == nil, result.mapping == nil else {
                    throw unexpected("a named argument")
                }
                result.positional.append(try expression())
            }
            guard skip(.comma) else { break }
        }
        try expect(.rightParenthesis)
        return result
    }

    private mutating func dottedName() throws(TemplateError) -> String {
        var name = try anyName()
        while skip(.dot) { name += "." + (try anyName()) }
        return name
    }

    /// `| a | b(...)`; nil when there is none. `startsInline` reads the first without its bar.
    mutating func filterChain(_ input: Expression?, startsInline: Bool = false) throws(TemplateError) -> Expression? {
        var result = input
        var isFirst = startsInline
        while isFirst || isSymbol(.pipe) {
            if !isFirst { advance() }
            isFirst = false
            let place = token.place
            let function = filter(try dottedName(), at: place)
            let arguments = isSymbol(.leftParenthesis) ? try arguments() : Arguments()
            result = try make(.filter(result, function, arguments), at: place, over: [result] + arguments.all)
        }
        return result
    }

    private mutating func test(_ input: Expression) throws(TemplateError) -> Expression {
        let start = token.place
        advance()
        let isNegated = skip(name: "not")
        let place = token.place
        let function = test(try dottedName(), at: place)
        var arguments = Arguments()
        switch token.kind {
        case .symbol(.leftParenthesis): arguments = try self.arguments()
        case .name(let name) where !["else", "or", "and"].contains(name):
            // `x is a is b` has no meaning; other names that go on with the expression are no arguments.
            if name == "is" { throw unexpected("the end of the test") }
            if !["if", "in", "not", "recursive"].contains(name) { arguments.positional = [try postfix(try primary())] }
        case .string, .integer, .float, .symbol(.leftBracket), .symbol(.leftBrace):
            arguments.positional = [try postfix(try primary())]
        default: break
        }
        let result = try make(.test(input, function, arguments), at: place, over: [input] + arguments.all)
        return isNegated ? try make(.not(result), at: start, over: [result]) : result
    }
}

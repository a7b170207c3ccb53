/// Tokens to a tree. The grammar is that of Jinja 3.1 without inheritance and includes.
struct TemplateParser {
    private let tokens: [TemplateToken]
    private(set) var index = 0
    private var tree = TemplateTree()
    private var ids: [String: NameID] = [:]
    /// Tags that are open, innermost last, with the tags that may end or divide them.
    private var open: [(tag: String, place: TemplatePlace, ends: [String])] = []
    private var loops = 0
    /// Inside `if` and inline `if`: an unknown filter there fails only when it is reached.
    private var conditions = 0
    /// Unknown filters and tests met outside of those.
    var unknown: [TemplateError] = []
    private var level = 0
    /// Special names mentioned, a set for each macro being read.
    private var mentions: [Set<String>] = []

    /// Levels of tags and of expressions. The deepest template we know has eleven.
    static let deepest = 64

    static func tree(of source: String) throws(TemplateError) -> TemplateTree {
        var parser = TemplateParser(tokens: try TemplateLexer.tokens(of: source))
        parser.tree.statements = try parser.statements(until: [])
        if let error = parser.unknown.first { throw error }
        return parser.tree
    }

    private init(tokens: [TemplateToken]) {
        self.tokens = tokens
        for name in SpecialName.all { _ = id(name) }
    }

    // MARK: Tokens

    var token: TemplateToken { tokens[index] }
    var next: TemplateToken { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() { if index < tokens.count - 1 { index += 1 } }

    func isName(_ name: String) -> Bool { token.kind == .name(name) }
    func isSymbol(_ symbol: TemplateToken.Symbol) -> Bool { token.kind == .symbol(symbol) }

    mutating func skip(name: String) -> Bool {
        guard isName(name) else { return false }
        advance()
        return true
    }

    mutating func skip(_ symbol: TemplateToken.Symbol) -> Bool {
        guard isSymbol(symbol) else { return false }
        advance()
        return true
    }

    func unexpected(_ expected: String) -> TemplateError {
        TemplateError(.unexpectedToken(found: token.name, expected: expected), at: token.place)
    }

    mutating func expect(_ symbol: TemplateToken.Symbol) throws(TemplateError) {
        guard skip(symbol) else { throw unexpected("`\(symbol.rawValue)`") }
    }

    mutating func expect(name: String) throws(TemplateError) {
        guard skip(name: name) else { throw unexpected("`\(name)`") }
    }

    mutating func expectTagEnd() throws(TemplateError) {
        guard token.kind == .tagEnd else { throw unexpected("`%}`") }
        advance()
    }

    mutating func anyName() throws(TemplateError) -> String {
        guard case .name(let name) = token.kind else { throw unexpected("a name") }
        advance()
        return name
    }

    mutating func id(_ name: String) -> NameID {
        if let id = ids[name] { return id }
        tree.names.append(name)
        ids[name] = tree.names.count - 1
        return tree.names.count - 1
    }

    mutating func mention(_ name: String) {
        for index in mentions.indices { mentions[index].insert(name) }
    }

    mutating func make(
        _ kind: Expression.Kind, at place: TemplatePlace, over parts: [Expression?] = []
    ) throws(TemplateError) -> Expression {
        var depth = 0
        for part in parts { depth = max(depth, part?.depth ?? 0) }
        guard depth < Self.deepest else { throw TemplateError(.sourceTooDeep(limit: Self.deepest), at: place) }
        return Expression(kind, at: place, depth: depth + 1)
    }

    /// Runs a part of the grammar one level deeper.
    mutating func deeper<R>(
        _ body: (inout TemplateParser) throws(TemplateError) -> R
    ) throws(TemplateError) -> R {
        guard level < Self.deepest else { throw TemplateError(.sourceTooDeep(limit: Self.deepest), at: token.place) }
        level += 1
        defer { level -= 1 }
        return try body(&self)
    }

    mutating func conditional<R>(
        _ body: (inout TemplateParser) throws(TemplateError) -> R
    ) throws(TemplateError) -> R {
        conditions += 1
        defer { conditions -= 1 }
        return try body(&self)
    }

    mutating func filter(_ name: String, at place: TemplatePlace) -> Filter {
        if let function = FilterFunction.named(name) { return .known(function, name: name) }
        let suggestion = Spelling.closest(to: name, in: FilterFunction.names)
        if conditions == 0 { unknown.append(TemplateError(.unknownFilter(name, suggestion: suggestion), at: place)) }
        return .unknown(name)
    }

    mutating func test(_ name: String, at place: TemplatePlace) -> Test {
        if let function = TestFunction.named(name) { return .known(function, name: name) }
        let suggestion = Spelling.closest(to: name, in: TestFunction.names)
        if conditions == 0 { unknown.append(TemplateError(.unknownTest(name, suggestion: suggestion), at: place)) }
        return .unknown(name)
    }

    // MARK: Statements

    /// Statements up to a tag of `ends`, which is left in place; up to the end of the template when there are none.
    mutating func statements(until ends: [String]) throws(TemplateError) -> [Statement] {
        var result: [Statement] = []
        while true {
            switch token.kind {
            case .text(let bytes):
                result.append(.text(Text(bytes, .template)))
                advance()
            case .outputBegin:
                advance()
                result.append(.output(try tupleOrExpression()))
                guard token.kind == .outputEnd else { throw unexpected("`}}`") }
                advance()
            case .tagBegin:
                advance()
                if case .name(let name) = token.kind, ends.contains(name) { return result }
                try result.append(contentsOf: deeper { (parser) throws(TemplateError) in try parser.statement() })
            case .end:
                if let last = open.last {
                    throw TemplateError(.unclosedTag(tag: last.tag, end: last.ends.last ?? ""), at: last.place)
                }
                return result
            default: throw unexpected("text or a tag")
            }
        }
    }

    /// The body of a tag, up to one of `ends`; the name of that tag is consumed and returned.
    mutating func body(of tag: String, at place: TemplatePlace, ends: [String]) throws(TemplateError) -> (
        [Statement], String
    ) {
        _ = skip(.colon)
        try expectTagEnd()
        open.append((tag, place, ends))
        let statements = try statements(until: ends)
        open.removeLast()
        return (statements, try anyName())
    }

    mutating func closedBody(of tag: String, at place: TemplatePlace) throws(TemplateError) -> [Statement] {
        let (statements, _) = try body(of: tag, at: place, ends: ["end" + tag])
        try expectTagEnd()
        return statements
    }

    mutating func statement() throws(TemplateError) -> [Statement] {
        let place = token.place
        guard case .name(let tag) = token.kind else { throw unexpected("the name of a tag") }
        advance()
        switch tag {
        case "if": return [try branch(place)]
        case "for": return [try loop(place)]
        case "set": return [try set(place)]
        case "macro": return [try macro(place)]
        case "call": return [try callBlock(place)]
        case "filter":
            let expression = try filterChain(nil, startsInline: true)!
            return [.filterBlock(expression, body: try closedBody(of: tag, at: place))]
        case "with": return [try with(place)]
        case "generation":
            return [
                .scope(
                    try isolated { (parser) throws(TemplateError) in
                        try parser.closedBody(of: tag, at: place)
                    })
            ]
        case "print":
            var outputs: [Statement] = []
            while token.kind != .tagEnd {
                if !outputs.isEmpty { try expect(.comma) }
                outputs.append(.output(try expression()))
            }
            try expectTagEnd()
            return outputs
        case "break", "continue":
            guard loops > 0 else { throw TemplateError(.outsideLoop(tag), at: place) }
            try expectTagEnd()
            return [tag == "break" ? .breakLoop : .continueLoop]
        default:
            let isEnd = tag.hasPrefix("end") || tag == "else" || tag == "elif"
            throw TemplateError(isEnd ? .strayEndTag(tag) : .unknownTag(tag), at: place)
        }
    }

    /// A body to which the loop around it cannot be broken off: macros and their like.
    mutating func isolated<R>(
        _ body: (inout TemplateParser) throws(TemplateError) -> R
    ) throws(TemplateError) -> R {
        let outer = loops
        loops = 0
        defer { loops = outer }
        return try body(&self)
    }

    mutating func branch(_ place: TemplatePlace) throws(TemplateError) -> Statement {
        var branches: [(condition: Expression, body: [Statement])] = []
        while true {
            let condition = try tupleOrExpression(allowsChoice: false)
            let (statements, end) = try conditional { (parser) throws(TemplateError) in
                try parser.body(of: "if", at: place, ends: ["elif", "else", "endif"])
            }
            branches.append((condition, statements))
            if end == "elif" { continue }
            var otherwise: [Statement] = []
            if end == "else" {
                otherwise = try conditional { (parser) throws(TemplateError) in
                    try parser.body(of: "if", at: place, ends: ["endif"]).0
                }
            }
            try expectTagEnd()
            return .branch(branches, otherwise: otherwise)
        }
    }

    mutating func loop(_ place: TemplatePlace) throws(TemplateError) -> Statement {
        let target = try target(endsAtIn: true)
        try expect(name: "in")
        let items = try tupleOrExpression(allowsChoice: false, endName: "recursive")
        var condition: Expression?
        if skip(name: "if") { condition = try expression() }
        let isRecursive = skip(name: "recursive")
        loops += 1
        var (statements, end) = try body(of: "for", at: place, ends: ["else", "endfor"])
        loops -= 1
        var otherwise: [Statement] = []
        if end == "else" { (otherwise, end) = try body(of: "for", at: place, ends: ["endfor"]) }
        try expectTagEnd()
        return .loop(
            Loop(
                target: target, items: items, condition: condition, isRecursive: isRecursive, body: statements,
                otherwise: otherwise))
    }

    mutating func set(_ place: TemplatePlace) throws(TemplateError) -> Statement {
        let target = try target(allowsAttribute: true)
        if skip(.assign) {
            let value = try tupleOrExpression()
            try expectTagEnd()
            return .set(target, value)
        }
        let filter = try filterChain(nil)
        return .setBlock(target, filter: filter, body: try closedBody(of: "set", at: place))
    }

    mutating func with(_ place: TemplatePlace) throws(TemplateError) -> Statement {
        var pairs: [(Target, Expression)] = []
        while token.kind != .tagEnd {
            if !pairs.isEmpty { try expect(.comma) }
            let target = try target()
            try expect(.assign)
            pairs.append((target, try expression()))
        }
        return .with(pairs, body: try closedBody(of: "with", at: place))
    }

    mutating func signature() throws(TemplateError) -> [(name: NameID, text: String, standard: Expression?)] {
        var parameters: [(name: NameID, text: String, standard: Expression?)] = []
        try expect(.leftParenthesis)
        while !isSymbol(.rightParenthesis) {
            if !parameters.isEmpty { try expect(.comma) }
            let name = try anyName()
            var standard: Expression?
            if skip(.assign) {
                standard = try expression()
            } else if parameters.last?.standard != nil {
                throw unexpected("`=` and a default, as the parameter before has one")
            }
            parameters.append((id(name), name, standard))
        }
        try expect(.rightParenthesis)
        return parameters
    }

    mutating func macroSyntax(
        _ tag: String, _ name: String, _ place: TemplatePlace,
        _ parameters: [(name: NameID, text: String, standard: Expression?)]
    ) throws(TemplateError) -> MacroSyntax {
        mentions.append([])
        let body = try isolated { (parser) throws(TemplateError) in try parser.closedBody(of: tag, at: place) }
        let mentioned = mentions.removeLast()
        return MacroSyntax(
            name: name, parameters: parameters, body: body, usesCaller: mentioned.contains("caller"),
            takesMore: mentioned.contains("varargs"), takesNamed: mentioned.contains("kwargs"))
    }

    mutating func macro(_ place: TemplatePlace) throws(TemplateError) -> Statement {
        let name = try anyName()
        let parameters = try signature()
        return .macro(try macroSyntax("macro", name, place, parameters), name: id(name))
    }

    mutating func callBlock(_ place: TemplatePlace) throws(TemplateError) -> Statement {
        let parameters = isSymbol(.leftParenthesis) ? try signature() : []
        let call = try expression()
        guard case .call = call.kind else {
            throw TemplateError(.unexpectedToken(found: "an expression", expected: "a call"), at: call.place)
        }
        return .callBlock(try macroSyntax("call", "caller", place, parameters), call: call)
    }
}

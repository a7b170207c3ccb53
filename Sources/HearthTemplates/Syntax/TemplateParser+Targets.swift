/// What can be assigned to.
extension TemplateParser {
    mutating func target(endsAtIn: Bool = false, allowsAttribute: Bool = false) throws(TemplateError) -> Target {
        var targets: [Target] = []
        var isTuple = false
        while !(endsAtIn && isName("in")), token.kind != .tagEnd, !isSymbol(.rightParenthesis), !isSymbol(.assign) {
            targets.append(try oneTarget(allowsAttribute))
            guard skip(.comma) else { break }
            isTuple = true
        }
        if targets.count == 1, !isTuple { return targets[0] }
        guard isTuple else { throw unexpected("a name to assign to") }
        return .tuple(targets)
    }

    mutating func oneTarget(_ allowsAttribute: Bool) throws(TemplateError) -> Target {
        let place = token.place
        if skip(.leftParenthesis) {
            let inner = try deeper { (parser) throws(TemplateError) in
                try parser.target(allowsAttribute: allowsAttribute)
            }
            try expect(.rightParenthesis)
            return inner
        }
        guard case .name(let name) = token.kind,
            !["true", "false", "none", "True", "False", "None"].contains(name)
        else { throw TemplateError(.cannotAssign(token.name), at: place) }
        advance()
        if allowsAttribute, skip(.dot) { return .attribute(id(name), try anyName(), place) }
        return .name(id(name))
    }
}

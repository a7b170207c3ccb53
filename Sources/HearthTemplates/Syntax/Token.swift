/// One token of a template.
struct TemplateToken: Sendable {
    enum Kind: Hashable, Sendable {
        /// Text between tags.
        case text([UInt8])
        case outputBegin, outputEnd, tagBegin, tagEnd
        case name(String)
        case string([UInt8])
        case integer(Int)
        case float(Double)
        case symbol(Symbol)
        case end
    }

    enum Symbol: String, Sendable, CaseIterable {
        case power = "**"
        case floorDivide = "//"
        case equal = "=="
        case notEqual = "!="
        case greaterEqual = ">="
        case lessEqual = "<="
        case plus = "+"
        case minus = "-"
        case divide = "/"
        case multiply = "*"
        case modulo = "%"
        case tilde = "~"
        case leftBracket = "["
        case rightBracket = "]"
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBrace = "{"
        case rightBrace = "}"
        case greater = ">"
        case less = "<"
        case assign = "="
        case dot = "."
        case colon = ":"
        case pipe = "|"
        case comma = ","
        case semicolon = ";"
    }

    let kind: Kind
    let place: TemplatePlace

    /// For messages.
    var name: String {
        switch kind {
        case .text: "text"
        case .outputBegin: "`{{`"
        case .outputEnd: "`}}`"
        case .tagBegin: "`{%`"
        case .tagEnd: "`%}`"
        case .name(let name): "`\(name)`"
        case .string: "a text"
        case .integer(let value): "`\(value)`"
        case .float(let value): "`\(value)`"
        case .symbol(let symbol): "`\(symbol.rawValue)`"
        case .end: "the end of the template"
        }
    }
}

/// The template as a tree. Names are numbers: places in `TemplateTree.names`.
struct TemplateTree: Sendable {
    var statements: [Statement] = []
    var names: [String] = []
}

typealias NameID = Int

/// Names that the engine itself gives values; they have the same number in every tree.
enum SpecialName {
    static let loop: NameID = 0
    static let caller: NameID = 1
    static let kwargs: NameID = 2
    static let varargs: NameID = 3
    static let all = ["loop", "caller", "kwargs", "varargs"]
}

final class Expression: Sendable {
    enum Kind: Sendable {
        case literal(Literal)
        case name(NameID)
        case list([Expression])
        case tuple([Expression])
        case mapping([(key: Expression, value: Expression)])
        case attribute(Expression, String)
        case item(Expression, Expression)
        case slice(Expression, start: Expression?, stop: Expression?, step: Expression?)
        case call(Expression, Arguments)
        /// The input is nil in `{% filter %}` and `{% set x | ... %}`: there it is the block's text.
        case filter(Expression?, Filter, Arguments)
        case test(Expression, Test, Arguments)
        case not(Expression)
        case sign(Expression, isNegative: Bool)
        case and([Expression])
        case or([Expression])
        case compare(Expression, [(Comparison, Expression)])
        /// From left to right; the operators of one chain bind equally.
        case arithmetic(Expression, [(Arithmetic, Expression)])
        case concatenation([Expression])
        case choice(condition: Expression, then: Expression, otherwise: Expression?)
    }

    let kind: Kind
    let place: TemplatePlace
    /// Levels of expressions inside this one: bounded when it is made, so that neither evaluating nor releasing a tree
    /// runs out of stack.
    let depth: Int

    init(_ kind: Kind, at place: TemplatePlace, depth: Int) {
        (self.kind, self.place, self.depth) = (kind, place, depth)
    }
}

enum Literal: Sendable {
    case none
    case bool(Bool)
    case integer(Int)
    case float(Double)
    case text(Text)
}

struct Arguments: Sendable {
    var positional: [Expression] = []
    var named: [(name: String, value: Expression)] = []
    var list: Expression?
    var mapping: Expression?

    var isEmpty: Bool { positional.isEmpty && named.isEmpty && list == nil && mapping == nil }
    var all: [Expression] { positional + named.map(\.value) + [list, mapping].compactMap(\.self) }
}

enum Comparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessEqual = "<="
    case greater = ">"
    case greaterEqual = ">="
    case isIn = "in"
    case isNotIn = "not in"
}

enum Arithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case floorDivide = "//"
    case modulo = "%"
    case power = "**"
}

/// A filter or test of the tables, or one whose name is unknown and that stands where it may never be reached: Jinja
/// complains about those when they are.
enum Named<Function: Sendable>: Sendable {
    case known(Function, name: String)
    case unknown(String)
}

typealias Filter = Named<FilterFunction>
typealias Test = Named<TestFunction>

enum Statement: Sendable {
    case text(Text)
    case output(Expression)
    case branch([(condition: Expression, body: [Statement])], otherwise: [Statement])
    case loop(Loop)
    case set(Target, Expression)
    case setBlock(Target, filter: Expression?, body: [Statement])
    case macro(MacroSyntax, name: NameID)
    case callBlock(MacroSyntax, call: Expression)
    case filterBlock(Expression, body: [Statement])
    case with([(Target, Expression)], body: [Statement])
    /// A body with names of its own: `generation`.
    case scope([Statement])
    case breakLoop
    case continueLoop
}

enum Target: Sendable {
    case name(NameID)
    case tuple([Target])
    case attribute(NameID, String, TemplatePlace)
}

final class Loop: Sendable {
    let target: Target
    let items: Expression
    let condition: Expression?
    let isRecursive: Bool
    let body: [Statement]
    let otherwise: [Statement]

    init(
        target: Target, items: Expression, condition: Expression?, isRecursive: Bool, body: [Statement],
        otherwise: [Statement]
    ) {
        (self.target, self.items, self.condition) = (target, items, condition)
        (self.isRecursive, self.body, self.otherwise) = (isRecursive, body, otherwise)
    }
}

final class MacroSyntax: Sendable {
    let name: String
    let parameters: [(name: NameID, text: String, standard: Expression?)]
    let body: [Statement]
    /// The body mentions `caller`, `varargs`, `kwargs`: without that, such arguments are refused.
    let usesCaller: Bool
    let takesMore: Bool
    let takesNamed: Bool

    init(
        name: String, parameters: [(name: NameID, text: String, standard: Expression?)], body: [Statement],
        usesCaller: Bool, takesMore: Bool, takesNamed: Bool
    ) {
        (self.name, self.parameters, self.body) = (name, parameters, body)
        (self.usesCaller, self.takesMore, self.takesNamed) = (usesCaller, takesMore, takesNamed)
    }
}

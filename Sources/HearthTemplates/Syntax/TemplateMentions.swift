/// What a template reads, found in its tree.
package struct TemplateMentions: Sendable, Hashable {
    /// Variables that it expects from outside: read where no tag around or before has given them a value.
    package fileprivate(set) var variables: Set<String> = []
    /// Attributes and literal keys that it reads of any value.
    package fileprivate(set) var attributes: Set<String> = []

    init(_ tree: TemplateTree) {
        var walker = MentionWalker(names: tree.names)
        walker.walk(tree.statements)
        variables = walker.variables
        attributes = walker.attributes
    }
}

private struct MentionWalker {
    let names: [String]
    var variables: Set<String> = []
    var attributes: Set<String> = []
    /// Names that have a value, a set for each scope.
    private var bound: [Set<NameID>] = [[]]

    init(names: [String]) { self.names = names }

    private mutating func inner(_ names: [NameID] = [], _ body: (inout MentionWalker) -> Void) {
        bound.append(Set(names))
        body(&self)
        bound.removeLast()
    }

    private mutating func bind(_ target: Target) {
        switch target {
        case .name(let name): bound[bound.count - 1].insert(name)
        case .tuple(let targets): for target in targets { bind(target) }
        case .attribute: break
        }
    }

    mutating func walk(_ statements: [Statement]) {
        for statement in statements { walk(statement) }
    }

    private mutating func walk(_ statement: Statement) {
        switch statement {
        case .text, .breakLoop, .continueLoop: break
        case .output(let expression): walk(expression)
        case .branch(let branches, let otherwise):
            for branch in branches {
                walk(branch.condition)
                walk(branch.body)
            }
            walk(otherwise)
        case .loop(let loop):
            walk(loop.items)
            inner([SpecialName.loop]) {
                $0.bind(loop.target)
                if let condition = loop.condition { $0.walk(condition) }
                $0.walk(loop.body)
            }
            inner { $0.walk(loop.otherwise) }
        case .set(let target, let expression):
            walk(expression)
            bind(target)
        case .setBlock(let target, let filter, let body):
            inner { $0.walk(body) }
            if let filter { walk(filter) }
            bind(target)
        case .macro(let syntax, let name):
            bound[bound.count - 1].insert(name)
            walk(syntax)
        case .callBlock(let syntax, let call):
            walk(call)
            walk(syntax)
        case .filterBlock(let filter, let body):
            walk(filter)
            inner { $0.walk(body) }
        case .with(let pairs, let body):
            for (_, expression) in pairs { walk(expression) }
            inner {
                for (target, _) in pairs { $0.bind(target) }
                $0.walk(body)
            }
        case .scope(let body): inner { $0.walk(body) }
        }
    }

    private mutating func walk(_ macro: MacroSyntax) {
        for parameter in macro.parameters { if let standard = parameter.standard { walk(standard) } }
        inner(macro.parameters.map(\.name) + [SpecialName.caller, SpecialName.kwargs, SpecialName.varargs]) {
            $0.walk(macro.body)
        }
    }

    private mutating func walk(_ arguments: Arguments) {
        for part in arguments.all { walk(part) }
    }

    private mutating func walk(_ expression: Expression) {
        switch expression.kind {
        case .literal: break
        case .name(let name):
            if !bound.contains(where: { $0.contains(name) }), GlobalFunction(rawValue: names[name]) == nil {
                variables.insert(names[name])
            }
        case .list(let parts), .tuple(let parts), .and(let parts), .or(let parts), .concatenation(let parts):
            for part in parts { walk(part) }
        case .mapping(let pairs):
            for pair in pairs {
                walk(pair.key)
                walk(pair.value)
            }
        case .attribute(let base, let name):
            walk(base)
            attributes.insert(name)
        case .item(let base, let key):
            walk(base)
            walk(key)
            if case .literal(.text(let name)) = key.kind { attributes.insert(name.string) }
        case .slice(let base, let start, let stop, let step):
            for part in [base, start, stop, step] { if let part { walk(part) } }
        case .call(let callee, let arguments):
            walk(callee)
            walk(arguments)
            // `message.get('tool_calls')` reads an attribute too.
            if case .attribute(_, "get") = callee.kind, let key = arguments.positional.first,
                case .literal(.text(let name)) = key.kind
            {
                attributes.insert(name.string)
            }
        case .filter(let input, _, let arguments):
            if let input { walk(input) }
            walk(arguments)
        case .test(let input, _, let arguments):
            walk(input)
            walk(arguments)
        case .not(let part), .sign(let part, _): walk(part)
        case .compare(let first, let rest):
            walk(first)
            for (comparison, part) in rest {
                walk(part)
                // `'tool_calls' in message`
                if comparison == .isIn || comparison == .isNotIn, case .literal(.text(let name)) = first.kind {
                    attributes.insert(name.string)
                }
            }
        case .arithmetic(let first, let rest):
            walk(first)
            for (_, part) in rest { walk(part) }
        case .choice(let condition, let then, let otherwise):
            for part in [condition, then, otherwise] { if let part { walk(part) } }
        }
    }
}

import SwiftSyntax
import SwiftSyntaxMacros

/// `@Guide` adds nothing by itself: `@Generable` reads it. Here only its place is checked.
struct GuideMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let enumCase = declaration.as(EnumCaseDeclSyntax.self) {
            let name = enumCase.elements.first?.name.text ?? ""
            context.report(.guideOnCase(name: name), at: node)
        } else if let variable = declaration.as(VariableDeclSyntax.self) {
            let isStatic = variable.modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
            if isStatic || variable.bindings.contains(where: { !$0.isStored }) {
                context.report(.guideOnWrongDeclaration, at: node)
            }
        } else {
            context.report(.guideOnWrongDeclaration, at: node)
        }
        return []
    }
}

/// The arguments of all `@Guide` attributes of one property, joined: they may be stacked.
struct GuideArguments {
    var description: ExprSyntax?
    var guides: [ExprSyntax] = []

    var isEmpty: Bool { description == nil && guides.isEmpty }

    init(of variable: VariableDeclSyntax, property: String, reportingTo context: some MacroExpansionContext) {
        for case .attribute(let attribute) in variable.attributes {
            let name = attribute.attributeName.trimmedDescription
            guard name == "Guide" || name == "FoundationModels.Guide",
                case .argumentList(let arguments)? = attribute.arguments
            else { continue }
            for argument in arguments {
                guard argument.label?.text == "description" else {
                    guides.append(argument.expression)
                    continue
                }
                if argument.expression.is(NilLiteralExprSyntax.self) { continue }
                if description != nil { context.report(.repeatedDescription(property: property), at: argument) }
                description = argument.expression
            }
        }
    }
}

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What can be wrong with a declaration that carries one of our macros. The words live here and nowhere else.
enum MacroDiagnostic: DiagnosticMessage {
    case wrongDeclaration(name: String, kind: String)
    case enumWithoutCases(name: String)
    case missingType(property: String, type: String)
    case tuple(property: String, type: String)
    case guideOnWrongDeclaration
    case guideOnFixedValue(property: String)
    case guideOnCase(name: String)
    case repeatedDescription(property: String)
    case repeatedKey(key: String, type: String)
    case keyNotLiteral(argument: String)
    case entryNotAVariable
    case entryWithoutValue(property: String)
    case entryWithoutType(property: String)

    var message: String {
        switch self {
        case .wrongDeclaration(let name, let kind):
            "'\(name)' is \(kind); @Generable needs a struct or an enum. Move what the model fills in to a struct of its own."
        case .enumWithoutCases(let name):
            "The enum '\(name)' has no cases, so the model has nothing to choose from. Add a case or remove @Generable."
        case .missingType(let property, let type):
            "The property '\(property)' of '\(type)' has no written type; @Generable reads types as they are written. Write "
                + "'\(property): Type'."
        case .tuple(let property, let type):
            "The property '\(property)' of '\(type)' is a tuple, which has no schema. Make it a @Generable struct."
        case .guideOnWrongDeclaration:
            "@Guide belongs on a stored property of a @Generable struct. Move it there or remove it."
        case .guideOnFixedValue(let property):
            "'\(property)' already has its value and is never generated, so @Guide has no effect. Make it a 'var' or remove @Guide."
        case .guideOnCase(let name):
            "@Guide cannot describe the case '\(name)'. Describe the enum in @Generable(description:) instead."
        case .repeatedDescription(let property):
            "'\(property)' is described twice. Keep one 'description:' among its @Guide attributes."
        case .repeatedKey(let key, let type):
            "'\(type)' has two cases with the text \"\(key)\"; the model could not tell them apart. Give each its own raw value."
        case .keyNotLiteral(let argument):
            "'\(argument)' must be written as a literal here: the macro reads it from the source. Replace the expression by its value."
        case .entryNotAVariable:
            "@SessionPropertyEntry belongs on a 'var' in an extension of SessionPropertyValues. Move it there or remove it."
        case .entryWithoutValue(let property):
            "'\(property)' has no default value. Write 'var \(property): Type = value', or make its type optional."
        case .entryWithoutType(let property):
            "'\(property)' is a pattern of several names; @SessionPropertyEntry needs one. Declare each variable on a line of its own."
        }
    }

    var severity: DiagnosticSeverity { .error }

    var diagnosticID: MessageID {
        MessageID(domain: "FoundationModelsMacros", id: String(describing: self).prefix { $0 != "(" }.description)
    }
}

extension MacroExpansionContext {
    func report(_ problem: MacroDiagnostic, at node: some SyntaxProtocol) {
        diagnose(Diagnostic(node: Syntax(node), message: problem))
    }
}

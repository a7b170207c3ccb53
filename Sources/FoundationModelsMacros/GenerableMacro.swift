import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Generable`: a struct or an enum that a model can fill in.
///
/// Members: `generationSchema` and, for a struct, the nested `PartiallyGenerated`. Extension: the conformance, `init(_:)` and
/// `generatedContent`; they stand in an extension so that the memberwise initializer survives. Every name of the framework is
/// qualified, so that types of the user's called `Tool` or `Prompt` do not capture it, and everything is `nonisolated`, so that
/// the code also compiles in modules that isolate to the main actor.
struct GenerableMacro: MemberMacro, ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let options = GenerableOptions(node, reportingTo: context)
        return (shape(of: declaration, options: options, node: node, context: context)?.members ?? [])
            .map { DeclSyntax(stringLiteral: $0) }
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // The member expansion has reported what is wrong; saying it twice helps nobody.
        let quiet = SilentContext(context)
        let options = GenerableOptions(node, reportingTo: quiet)
        guard let shape = shape(of: declaration, options: options, node: node, context: quiet) else { return [] }
        let availability = declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
            .filter { $0.attributeName.trimmedDescription == "available" }.map(\.trimmedDescription)
        let text = """
            \(availability.joined(separator: "\n"))
            extension \(type.trimmedDescription): nonisolated FoundationModels.Generable {
            \(shape.conformance.joined(separator: "\n\n"))
            }
            """
        return [DeclSyntax(stringLiteral: text).cast(ExtensionDeclSyntax.self)]
    }

    private static func shape(
        of declaration: some DeclGroupSyntax, options: GenerableOptions, node: AttributeSyntax,
        context: some MacroExpansionContext
    ) -> (any GenerableShape)? {
        let access = declaration.modifiers.map(\.name.text).first { ["public", "package", "open"].contains($0) } ?? ""
        if let structure = declaration.as(StructDeclSyntax.self) {
            let name = structure.name.text
            return GenerableStruct(
                name: name, access: access, options: options,
                properties: StoredProperty.all(in: structure.memberBlock.members, of: name, reportingTo: context),
                isSendable: structure.inheritanceClause?.names("Sendable") ?? false)
        }
        if let enumeration = declaration.as(EnumDeclSyntax.self) {
            return GenerableEnum(enumeration, access: access, options: options, reportingTo: context)
        }
        let (name, kind) = declaration.nameAndKind
        context.report(.wrongDeclaration(name: name, kind: kind), at: node)
        return nil
    }
}

/// What both kinds of declarations give: source texts of members and of the extension's members.
protocol GenerableShape {
    var members: [String] { get }
    var conformance: [String] { get }
}

/// The arguments of `@Generable(name:description:representNilExplicitlyInGeneratedContent:)`.
struct GenerableOptions {
    /// Texts of expressions.
    var name: String?
    var description: String?
    var explicitNil: String?

    init(_ node: AttributeSyntax, reportingTo context: some MacroExpansionContext) {
        guard case .argumentList(let arguments)? = node.arguments else { return }
        for argument in arguments {
            let text = argument.expression.trimmedDescription
            switch argument.label?.text {
            case "name": name = text
            case "description": description = argument.expression.is(NilLiteralExprSyntax.self) ? nil : text
            case "representNilExplicitlyInGeneratedContent":
                guard argument.expression.is(BooleanLiteralExprSyntax.self) else {
                    context.report(.keyNotLiteral(argument: "representNilExplicitlyInGeneratedContent"), at: argument)
                    continue
                }
                explicitNil = text
            default: break  // the compiler has checked the labels
            }
        }
    }

    var nilIsExplicit: Bool { explicitNil == "true" }

    /// The arguments that every schema begins with.
    func schemaArguments(of type: String) -> [String] {
        var arguments = name.map { ["_type: \(type).self", "name: \($0)"] } ?? ["type: \(type).self"]
        if let description { arguments.append("description: \(description)") }
        return arguments
    }
}

extension InheritanceClauseSyntax {
    func names(_ name: String) -> Bool {
        inheritedTypes.contains { ["\(name)", "Swift.\(name)"].contains($0.type.trimmedDescription) }
    }
}

extension DeclGroupSyntax {
    var nameAndKind: (name: String, kind: String) {
        if let it = self.as(ClassDeclSyntax.self) { return (it.name.text, "a class") }
        if let it = self.as(ActorDeclSyntax.self) { return (it.name.text, "an actor") }
        if let it = self.as(ProtocolDeclSyntax.self) { return (it.name.text, "a protocol") }
        if let it = self.as(ExtensionDeclSyntax.self) { return (it.extendedType.trimmedDescription, "an extension") }
        return ("this declaration", "of another kind")
    }
}

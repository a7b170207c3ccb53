import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SessionPropertyEntry var counter: Int = 0` in an extension of `SessionPropertyValues`: accessors that read and write
/// under the key type `__Key_counter`, which holds the default value.
struct SessionPropertyEntryMacro: AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let entry = Entry(declaration, node: node, reportingTo: context) else { return [] }
        return [
            "get { self[\(raw: entry.keyType).self] }",
            "set { self[\(raw: entry.keyType).self] = newValue }",
        ]
    }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let entry = Entry(declaration, node: node, reportingTo: SilentContext(context)) else { return [] }
        let type = entry.type.map { ": \($0)" } ?? ""
        return [
            """
            private nonisolated struct \(raw: entry.keyType): FoundationModels.SessionPropertyKey {
                @FoundationModels.__SessionPropertyEntryDefaultValue static var defaultValue\(raw: type) = \(raw: entry.value)
            }
            """
        ]
    }

    struct Entry {
        let keyType: String
        let type: String?
        let value: String

        init?(_ declaration: some DeclSyntaxProtocol, node: AttributeSyntax, reportingTo context: some MacroExpansionContext) {
            guard let variable = declaration.as(VariableDeclSyntax.self),
                variable.bindingSpecifier.tokenKind == .keyword(.var),
                !variable.modifiers.contains(where: { $0.name.text == "static" })
            else {
                context.report(.entryNotAVariable, at: node)
                return nil
            }
            guard variable.bindings.count == 1, let binding = variable.bindings.first,
                let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
            else {
                context.report(.entryWithoutType(property: variable.bindings.trimmedDescription), at: node)
                return nil
            }
            let name = pattern.identifier.text.withoutBackticks
            keyType = "__Key_\(name)"
            type = binding.typeAnnotation?.type.trimmedDescription
            if let written = binding.initializer?.value {
                value = written.trimmedDescription
            } else if binding.typeAnnotation?.type.withoutOptional.isOptional == true {
                value = "nil"
            } else {
                context.report(.entryWithoutValue(property: name), at: node)
                return nil
            }
        }
    }
}

/// The default value becomes computed, so that no stored global state is left behind and its type may be inferred.
struct SessionPropertyEntryDefaultValueMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let value = declaration.as(VariableDeclSyntax.self)?.bindings.first?.initializer?.value else {
            context.report(.entryNotAVariable, at: node)
            return []
        }
        return ["get { \(value) }"]
    }
}

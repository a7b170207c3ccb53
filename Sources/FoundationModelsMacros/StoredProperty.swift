import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A property that the model fills in: what `@Generable` reads of `@Guide(...) var name: Type`.
struct StoredProperty {
    /// As written, with back-ticks where the name is a keyword.
    let identifier: String
    /// The property's name in schema and JSON.
    let key: String
    /// As written, without the mark of an optional.
    let type: String
    let isOptional: Bool
    /// The text of the expression, if any.
    let description: String?
    /// Texts of the guides or of one regular expression.
    let guides: [String]

    /// A property of type `GenerationID` is filled by the framework, never by the model.
    var isGenerationID: Bool { !isOptional && (type == "GenerationID" || type == "FoundationModels.GenerationID") }

    var fullType: String { isOptional ? "Optional<\(type)>" : type }
}

extension StoredProperty {
    /// The stored properties of a struct in the order of their declaration. Static, lazy and computed ones are left out, and
    /// so are constants that have their value already.
    static func all(
        in members: MemberBlockItemListSyntax, of owner: String, reportingTo context: some MacroExpansionContext
    ) -> [StoredProperty] {
        members.flatMap { member -> [StoredProperty] in
            if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                return conditional.clauses.flatMap { clause -> [StoredProperty] in
                    guard case .decls(let inner)? = clause.elements else { return [] }
                    return all(in: inner, of: owner, reportingTo: context)
                }
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return [] }
            return properties(of: variable, owner: owner, context: context)
        }
    }

    private static func properties(
        of variable: VariableDeclSyntax, owner: String, context: some MacroExpansionContext
    ) -> [StoredProperty] {
        let modifiers = variable.modifiers.map(\.name.text)
        guard !modifiers.contains(where: { ["static", "class", "lazy"].contains($0) }) else { return [] }
        let bindings = Array(variable.bindings)
        var found: [StoredProperty] = []
        for (index, binding) in bindings.enumerated() where binding.isStored {
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                context.report(.tuple(property: binding.pattern.trimmedDescription, type: owner), at: binding.pattern)
                continue
            }
            let identifier = pattern.identifier.trimmedDescription
            let guide = GuideArguments(of: variable, property: identifier, reportingTo: context)
            if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
                if !guide.isEmpty { context.report(.guideOnFixedValue(property: identifier), at: binding.pattern) }
                continue
            }
            // `var a, b: Int` writes the type once, behind the last name.
            let written = binding.typeAnnotation?.type ?? bindings[index...].lazy.compactMap(\.typeAnnotation?.type).first
            guard let type = written ?? binding.initializer?.value.literalType else {
                context.report(.missingType(property: identifier, type: owner), at: binding.pattern)
                continue
            }
            if type.is(TupleTypeSyntax.self), type.unwrappedParentheses.is(TupleTypeSyntax.self) {
                context.report(.tuple(property: identifier, type: owner), at: type)
                continue
            }
            let (core, isOptional) = type.unwrappedParentheses.withoutOptional
            found.append(
                StoredProperty(
                    identifier: identifier, key: identifier.withoutBackticks, type: core.trimmedDescription,
                    isOptional: isOptional, description: guide.description?.trimmedDescription,
                    guides: guide.guides.map(\.trimmedDescription)))
        }
        return found
    }
}

extension PatternBindingSyntax {
    /// True for `x`, `x = 1` and `x { didSet {} }`, false where a getter is written.
    var isStored: Bool {
        guard let block = accessorBlock else { return true }
        guard case .accessors(let list) = block.accessors else { return false }
        return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}

extension ExprSyntax {
    /// The type of a plain literal, for `var count = 3`.
    var literalType: TypeSyntax? {
        switch kind {
        case .stringLiteralExpr: "String"
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        default: nil
        }
    }
}

extension TypeSyntax {
    /// `(Int)` becomes `Int`.
    var unwrappedParentheses: TypeSyntax {
        guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.firstName == nil
        else { return self }
        return only.type.unwrappedParentheses
    }

    /// `Int?`, `Int!` and `Optional<Int>` become `Int` and true.
    var withoutOptional: (core: TypeSyntax, isOptional: Bool) {
        if let optional = self.as(OptionalTypeSyntax.self) {
            return (optional.wrappedType.unwrappedParentheses, true)
        }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return (optional.wrappedType.unwrappedParentheses, true)
        }
        if let name = self.as(IdentifierTypeSyntax.self), name.name.text == "Optional",
            let argument = name.genericArgumentClause?.arguments.first, case .type(let wrapped) = argument.argument
        {
            return (wrapped.unwrappedParentheses, true)
        }
        return (self, false)
    }
}

extension String {
    var withoutBackticks: String { hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self }

    /// As a Swift string literal.
    var quoted: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0": text += "\\0"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

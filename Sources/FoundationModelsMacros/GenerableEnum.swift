import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacros

/// The expansion for an enum.
///
/// Without associated values the model writes one of the cases' texts: the raw value where the raw type is `String`, else the
/// case's name. With associated values it writes what Swift's own `Codable` writes: an object with the case's name as its
/// only key and the values by label beneath it, `{"search": {"query": "...", "limit": 3}}`, unlabelled ones as `_0`, `_1`.
struct GenerableEnum: GenerableShape {
    struct Case {
        let identifier: String
        let key: String
        let values: [StoredProperty]
        /// As the case is matched: nil where the value has no label.
        let labels: [String?]
    }

    let name: String
    let access: String
    let options: GenerableOptions
    let cases: [Case]

    private var hasValues: Bool { cases.contains { !$0.labels.isEmpty } }

    init?(
        _ declaration: EnumDeclSyntax, access: String, options: GenerableOptions,
        reportingTo context: some MacroExpansionContext
    ) {
        name = declaration.name.text
        self.access = access
        self.options = options
        let usesRawText = declaration.inheritanceClause?.names("String") ?? false
        cases = declaration.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
            .flatMap(\.elements).map { Case($0, usesRawText: usesRawText, reportingTo: context) }
        if cases.isEmpty {
            context.report(.enumWithoutCases(name: name), at: declaration.name)
            return nil
        }
        for (index, one) in cases.enumerated() where cases[..<index].contains(where: { $0.key == one.key }) {
            context.report(.repeatedKey(key: one.key, type: name), at: declaration.name)
            return nil
        }
    }

    private func declare(_ text: String) -> String { access.isEmpty ? "nonisolated \(text)" : "nonisolated \(access) \(text)" }

    var members: [String] {
        var arguments = options.schemaArguments(of: "Self")
        guard hasValues else {
            arguments.append("anyOf: [\(cases.map(\.key.quoted).joined(separator: ", "))]")
            return [schema(arguments)]
        }
        arguments.append("anyOf: [\(cases.map { "__Case_\($0.key).self" }.joined(separator: ", "))]")
        return [schema(arguments)] + cases.flatMap(shapes)
    }

    private func schema(_ arguments: [String]) -> String {
        """
        \(declare("static var generationSchema: FoundationModels.GenerationSchema")) {
            FoundationModels.GenerationSchema(\(arguments.joined(separator: ", ")))
        }
        """
    }

    /// Two nested structs for a case: the object with its one key, and the values beneath it.
    private func shapes(of one: Case) -> [String] {
        let plain = GenerableOptions.none
        let outer = GenerableStruct(
            name: "__Case_\(one.key)", access: access, options: plain.named("\(name).\(one.key)"),
            properties: [StoredProperty(
                identifier: one.identifier, key: one.key, type: "__Values_\(one.key)", isOptional: false, description: nil,
                guides: [])],
            isSendable: false)
        let inner = GenerableStruct(
            name: "__Values_\(one.key)", access: access, options: plain.named("\(name).\(one.key).values"),
            properties: one.values, isSendable: false)
        return [outer, inner].map { shape in
            let fields = shape.properties.map { property in
                "    \(access.isEmpty ? "" : access + " ")var \(property.identifier): \(property.fullType)"
            }
            let initializer = """
                    \(declare("init(\(shape.properties.map { "\($0.identifier): \($0.fullType)" }.joined(separator: ", ")))")) {
                \(shape.properties.map { "        self.\($0.identifier) = \($0.identifier)" }.joined(separator: "\n"))
                    }
                """
            return """
                \(declare("struct \(shape.name): nonisolated FoundationModels.Generable")) {
                \((fields + [initializer] + shape.members + shape.conformance).joined(separator: "\n\n"))
                }
                """
        }
    }

    var conformance: [String] { hasValues ? valueConformance : textConformance }

    private var textConformance: [String] {
        let known = cases.map { "\"\($0.key)\"" }.joined(separator: ", ").quoted.dropFirst().dropLast()
        return [
            """
                \(declare("init(_ content: FoundationModels.GeneratedContent) throws")) {
                    let text = try content.value(String.self)
                    switch text {
            \(cases.map { "        case \($0.key.quoted): self = .\($0.identifier)" }.joined(separator: "\n"))
                    default:
                        throw FoundationModels.GeneratedContent.ParsingError(
                            rawContent: content.jsonString, underlyingError: nil,
                            debugDescription: "\\"\\(text)\\" is no case of \(name), which has \(known).")
                    }
                }
            """,
            """
                \(declare("var generatedContent: FoundationModels.GeneratedContent")) {
                    switch self {
            \(cases.map { "        case .\($0.identifier): FoundationModels.GeneratedContent(\($0.key.quoted))" }.joined(separator: "\n"))
                    }
                }
            """,
        ]
    }

    private var valueConformance: [String] {
        let known = cases.map { "\"\($0.key)\"" }.joined(separator: ", ").quoted.dropFirst().dropLast()
        let reading = cases.map { one -> String in
            let arguments = zip(one.labels, one.values).map { label, value in
                (label.map { "\($0): " } ?? "") + "values.\(value.identifier)"
            }
            let construction = one.labels.isEmpty
                ? "self = .\(one.identifier)" : "self = .\(one.identifier)(\(arguments.joined(separator: ", ")))"
            let binding = one.labels.isEmpty ? "_" : "let values"
            return """
                        if let found = try content.value(FoundationModels.GeneratedContent?.self, forProperty: \(one.key.quoted)) {
                            \(binding) = try found.value(__Values_\(one.key).self)
                            \(construction)
                            return
                        }
                """
        }
        let writing = cases.map { one -> String in
            let names = one.values.map(\.identifier)
            let pattern = one.labels.isEmpty ? ".\(one.identifier)" : "let .\(one.identifier)(\(names.joined(separator: ", ")))"
            let arguments = names.map { "\($0): \($0)" }.joined(separator: ", ")
            return """
                        case \(pattern):
                            __Case_\(one.key)(\(one.identifier): __Values_\(one.key)(\(arguments))).generatedContent
                """
        }
        return [
            """
                \(declare("init(_ content: FoundationModels.GeneratedContent) throws")) {
            \(reading.joined(separator: "\n"))
                    throw FoundationModels.GeneratedContent.ParsingError(
                        rawContent: content.jsonString, underlyingError: nil,
                        debugDescription: "The object holds no case of \(name), which has \(known).")
                }
            """,
            """
                \(declare("var generatedContent: FoundationModels.GeneratedContent")) {
                    switch self {
            \(writing.joined(separator: "\n"))
                    }
                }
            """,
        ]
    }
}

extension GenerableEnum.Case {
    init(_ element: EnumCaseElementSyntax, usesRawText: Bool, reportingTo context: some MacroExpansionContext) {
        identifier = element.name.text
        var key = identifier.withoutBackticks
        if usesRawText, let value = element.rawValue?.value {
            if let text = value.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
                key = text
            } else {
                context.report(.keyNotLiteral(argument: value.trimmedDescription), at: value)
            }
        }
        self.key = key
        let parameters = Array(element.parameterClause?.parameters ?? [])
        labels = parameters.map { parameter in
            guard let label = parameter.firstName?.text, label != "_" else { return nil }
            return label
        }
        values = zip(parameters, labels).enumerated().map { index, pair in
            let (core, isOptional) = pair.0.type.unwrappedParentheses.withoutOptional
            let identifier = pair.1 ?? "_\(index)"
            return StoredProperty(
                identifier: identifier, key: identifier.withoutBackticks, type: core.trimmedDescription,
                isOptional: isOptional, description: nil, guides: [])
        }
    }
}

extension GenerableOptions {
    static var none: GenerableOptions { GenerableOptions() }
    init() {}
    func named(_ name: String) -> GenerableOptions {
        var copy = self
        copy.name = name.quoted
        return copy
    }
}

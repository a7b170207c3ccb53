/// The expansion for a struct.
struct GenerableStruct: GenerableShape {
    let name: String
    /// `public`, `package` or nothing.
    let access: String
    let options: GenerableOptions
    let properties: [StoredProperty]
    let isSendable: Bool

    private var generated: [StoredProperty] { properties.filter { !$0.isGenerationID } }

    private func declare(_ text: String) -> String { access.isEmpty ? "nonisolated \(text)" : "nonisolated \(access) \(text)" }

    var members: [String] { [schema, partial] }

    private var schema: String {
        var arguments = options.schemaArguments(of: "Self")
        if options.nilIsExplicit { arguments.append("representNilExplicitlyInGeneratedContent: true") }
        let list = generated.map { property in
            var parts = ["name: \(property.key.quoted)"]
            if let description = property.description { parts.append("description: \(description)") }
            parts.append("type: \(property.fullType).self")
            if !property.guides.isEmpty { parts.append("guides: [\(property.guides.joined(separator: ", "))]") }
            return "            FoundationModels.GenerationSchema.Property(\(parts.joined(separator: ", "))),\n"
        }
        arguments.append(list.isEmpty ? "properties: []" : "properties: [\n\(list.joined())        ]")
        return """
            \(declare("static var generationSchema: FoundationModels.GenerationSchema")) {
                FoundationModels.GenerationSchema(\(arguments.joined(separator: ", ")))
            }
            """
    }

    /// A snapshot of an unfinished value: every property optional, and an identity that stays the same between snapshots.
    private var partial: String {
        let modifier = access.isEmpty ? "" : "\(access) "
        let hasOwnID = generated.contains { $0.key == "id" }
        var fields: [String] = []
        var assignments: [String] = []
        let identities = properties.filter(\.isGenerationID).map(\.identifier)
        for identity in identities + (identities.contains("id") || hasOwnID ? [] : ["id"]) {
            fields.append("    \(modifier)var \(identity): FoundationModels.GenerationID")
            assignments.append("        self.\(identity) = content.id ?? FoundationModels.GenerationID()")
        }
        for property in generated {
            fields.append("    \(modifier)var \(property.identifier): \(property.type).PartiallyGenerated?")
            assignments.append("        self.\(property.identifier) = try content.value(forProperty: \(property.key.quoted))")
        }
        let sendable = isSendable ? ", Sendable" : ""
        return """
            \(declare("struct PartiallyGenerated: Identifiable, nonisolated FoundationModels.ConvertibleFromGeneratedContent\(sendable)")) {
            \(fields.joined(separator: "\n"))

                \(declare("init(_ content: FoundationModels.GeneratedContent) throws")) {
            \(assignments.joined(separator: "\n"))
                }
            }
            """
    }

    var conformance: [String] { [initializer, generatedContent] }

    private var initializer: String {
        var assignments = properties.map { property in
            property.isGenerationID
                ? "        self.\(property.identifier) = content.id ?? FoundationModels.GenerationID()"
                : "        self.\(property.identifier) = try content.value(forProperty: \(property.key.quoted))"
        }
        if generated.isEmpty {
            // No property is read that could find out.
            assignments.insert(
                """
                        guard case .structure = content.kind else {
                            throw FoundationModels.GeneratedContent.ParsingError(
                                rawContent: content.jsonString, debugDescription: "Expected an object for \(name).")
                        }
                """, at: 0)
        }
        return """
                \(declare("init(_ content: FoundationModels.GeneratedContent) throws")) {
            \(assignments.joined(separator: "\n"))
                }
            """
    }

    private var generatedContent: String {
        let identity = properties.first(where: \.isGenerationID).map { "self.\($0.identifier)" } ?? "nil"
        let additions = generated.map { property -> String in
            let value = "self.\(property.identifier)"
            return property.isOptional && !options.nilIsExplicit
                ? "        if let value = \(value) { properties.append((\(property.key.quoted), value)) }"
                : "        properties.append((\(property.key.quoted), \(value)))"
        }
        let storage = additions.isEmpty ? "let" : "var"
        return """
                \(declare("var generatedContent: FoundationModels.GeneratedContent")) {
                    \(storage) properties: [(String, any FoundationModels.ConvertibleToGeneratedContent)] = []
            \(additions.joined(separator: "\n"))
                    return FoundationModels.GeneratedContent(properties: properties, id: \(identity), uniquingKeysWith: { _, last in last })
                }
            """
    }
}

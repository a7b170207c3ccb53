import FoundationModels
import Foundation
import HearthJSON

/// A schema with values that obey it and values that do not, for another program to judge.
struct SchemaSpecimen {
    /// A value as JSON.
    struct Instance {
        let text: String
        /// Whether the schema admits it.
        let isRight: Bool
        /// What reading it as the type says; nil where the type does not look (guides limit what is generated, not what
        /// is read) or where there is no type.
        let isRead: Bool?
    }

    let name: String
    let schema: GenerationSchema
    let instances: [Instance]

    /// Of a type: `right` and `wrong` are read as well, `outside` only breaks a guide.
    init<Value: Generable>(
        _ type: Value.Type, right: [String], wrong: [String], outside: [String] = []
    ) {
        func read(_ text: String) -> Bool {
            do {
                _ = try Value(GeneratedContent(json: text))
                return true
            } catch { return false }
        }
        name = String(describing: type)
        schema = type.generationSchema
        instances =
            right.map { .init(text: $0, isRight: true, isRead: read($0)) }
            + wrong.map { .init(text: $0, isRight: false, isRead: read($0)) }
            + outside.map { .init(text: $0, isRight: false, isRead: nil) }
    }

    /// Without a type.
    init(_ name: String, _ schema: GenerationSchema, right: [String], wrong: [String]) {
        self.name = name
        self.schema = schema
        instances =
            right.map { .init(text: $0, isRight: true, isRead: nil) }
            + wrong.map { .init(text: $0, isRight: false, isRead: nil) }
    }

    /// One line: name, the schema as it is encoded, the same after it was read back, the values.
    func json() throws -> JSON {
        let encoded = try JSONEncoder().encode(schema)
        let back = try JSONDecoder().decode(GenerationSchema.self, from: encoded)
        return [
            "name": .string(name), "schema": try JSON.parse(Array(encoded)),
            "back": try JSON.parse(Array(JSONEncoder().encode(back))),
            "instances": .array(
                instances.map { instance in
                    [
                        "text": .string(instance.text), "right": .bool(instance.isRight),
                        "read": instance.isRead.map { .bool($0) } ?? .null,
                    ]
                }),
        ]
    }
}

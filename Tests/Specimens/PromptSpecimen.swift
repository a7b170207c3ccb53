import HearthJSON
import HearthTemplates

/// A conversation with everything that a dictionary could shuffle, as a template writes it.
enum PromptSpecimen {
    static let source = """
        {{ tools|tojson }}{% for tool in tools %}{% for key, value in tool.function.parameters.properties.items() %}\
        [{{ key }}={{ value }}]{% endfor %}{% endfor %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\
        {% for call in m.tool_calls or [] %}{{ call.function.name }}{{ call.function.arguments|tojson }}\
        {% for key in call.function.arguments %}{{ key }},{% endfor %}{% endfor %}{% endfor %}{{ switches }}
        """

    static func text() throws -> String {
        let letters = ["zeta", "alpha", "mid", "omega", "beta", "kappa", "é", "e\u{301}"]
        func object(_ value: (Int) -> JSON) -> JSON {
            var object = JSONObject()
            for (index, letter) in letters.enumerated() { object[letter] = value(index) }
            return .object(object)
        }
        let tool: JSON = [
            "type": "function",
            "function": [
                "name": "find", "description": "Finds",
                "parameters": ["type": "object", "properties": object { ["type": "string", "n": .integer(Int64($0))] }],
            ],
        ]
        var chat = ChatContext(messages: [
            ChatMessage(role: "system", "s"), ChatMessage(role: "user", "u"),
            ChatMessage(
                role: "assistant", content: nil,
                toolCalls: [.init(id: "1", name: "find", arguments: object { .integer(Int64($0)) })]),
        ])
        chat.tools = [tool]
        for (index, letter) in letters.enumerated() { chat.variables["v_" + letter] = .integer(Int64(index)) }
        chat.variables["switches"] = object { .bool($0 % 2 == 0) }
        return try Template(source: source).render(chat.json()).text
    }
}

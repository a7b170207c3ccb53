import HearthJSON
import HearthTemplates
import Testing

/// Templates without a place for system messages. The prompts are jinja2's, of the conversation folded by hand.
@Suite struct SystemFoldTests {
    struct Family: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let prompt: String
        var testDescription: String { name }
    }

    static let families = [
        Family(
            name: "Gemma 2: refuses the role",
            source: """
                {{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}\
                {% endif %}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\
                {{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}\
                {% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}\
                {% endif %}{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}\
                {% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}
                """,
            prompt: "<s><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nHello<end_of_turn>\n"
                + "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n"),
        Family(
            name: "Mistral 0.1: refuses what does not alternate",
            source: """
                {{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\
                {{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}\
                {% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}\
                {% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token + ' ' }}\
                {% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}
                """,
            prompt: "<s>[INST] Be brief.\n\nHi [/INST]Hello</s> [INST] Bye [/INST]"),
        Family(
            name: "a plain one: drops the role in silence",
            source: """
                {% for m in messages %}{% if m.role == 'user' %}### Instruction:
                {{ m.content }}

                {% elif m.role == 'assistant' %}### Response:
                {{ m.content }}

                {% endif %}{% endfor %}{% if add_generation_prompt %}### Response:
                {% endif %}
                """,
            prompt: "### Instruction:\nBe brief.\n\nHi\n\n### Response:\nHello\n\n### Instruction:\nBye\n\n### Response:\n"),
    ]

    @Test("TR-02 a template without a system role gets the instructions in the first user turn", arguments: families)
    func folded(_ family: Family) throws {
        let template = try Template(source: family.source)
        #expect(!template.takesSystem && !template.capabilities().takesSystem)
        let messages: [JSON] = [
            ["role": "system", "content": "Be brief."], ["role": "user", "content": "Hi"],
            ["role": "assistant", "content": "Hello"], ["role": "user", "content": "Bye"],
        ]
        let context: JSON = [
            "messages": .array(SystemFold.folded(messages)), "add_generation_prompt": true, "bos_token": "<s>",
            "eos_token": "</s>",
        ]
        let prompt = try template.render(context)
        #expect(prompt.text == family.prompt)
        // Instructions are data, as the user's words are: control tokens in either stay text.
        let data = prompt.runs.filter { $0.origin == .data }.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(data.joined().contains("Be brief.\n\nHi"))
    }

    @Test("a template with the role says so") func role() throws {
        let source = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        #expect(try Template(source: source).takesSystem)
    }

    static let conversations: [([JSON], [JSON])] = [
        (
            [["role": "user", "content": "a"], ["role": "assistant", "content": "b"]],
            [["role": "user", "content": "a"], ["role": "assistant", "content": "b"]]
        ),
        // Two, and one that comes later.
        (
            [
                ["role": "system", "content": "s"], ["role": "system", "content": "t"], ["role": "user", "content": "a"],
                ["role": "system", "content": "u"], ["role": "user", "content": "b", "name": "n"],
            ],
            [["role": "user", "content": "s\n\nt\n\na"], ["role": "user", "content": "u\n\nb", "name": "n"]]
        ),
        // Nobody asks, or the answer stands before the question.
        ([["role": "system", "content": "s"]], [["role": "user", "content": "s"]]),
        (
            [["role": "system", "content": "s"], ["role": "assistant", "content": "b"], ["role": "user", "content": "a"]],
            [["role": "user", "content": "s"], ["role": "assistant", "content": "b"], ["role": "user", "content": "a"]]
        ),
        // Parts, and nothing to say.
        (
            [["role": "system", "content": "s"], ["role": "user", "content": [["type": "image"]]]],
            [["role": "user", "content": [["type": "text", "text": "s\n\n"], ["type": "image"]]]]
        ),
        (
            [["role": "system", "content": ""], ["role": "user", "content": "a"]], [["role": "user", "content": "a"]]
        ),
        // What a template has to refuse itself.
        ([["role": "system", "content": 1], 7], [["role": "system", "content": 1], 7]),
    ]

    @Test("nothing of a system message is lost, wherever it stands", arguments: conversations)
    func kept(_ messages: [JSON], _ expected: [JSON]) {
        #expect(SystemFold.folded(messages) == expected)
    }
}

import Foundation
import FoundationModels
import HearthLocal
import HearthTestSupport
import HearthTokenizers
import Testing

@Suite("Templates without a system role")
struct SystemRoleTests {
    /// The tiny model with another template, of the same length in the file.
    private func model(_ template: String) throws -> URL {
        var bytes = Array(try Data(contentsOf: TinyEngine.file))
        // The key, the type of a text (8) in four bytes, its length in eight.
        let key = Array("tokenizer.chat_template".utf8) + [8, 0, 0, 0]
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: key) }) + key.count
        let length = bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let filler = length - template.utf8.count - 4
        try #require(filler >= 0)
        let text = Array(template.utf8) + Array("{#\(String(repeating: " ", count: filler))#}".utf8)
        bytes.replaceSubrange(place + 8..<place + 8 + length, with: text)
        let file = FileManager.default.temporaryDirectory.appending(path: "no-system-\(UUID().uuidString).gguf")
        try Data(bytes).write(to: file)
        return file
    }

    @Test("TR-02 Instructions reach the prompt of a model whose template drops or refuses them")
    func folded() async throws {
        let turn = "<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
        for template in [
            "{% for m in messages %}{% if m.role != 'system' %}\(turn){% endif %}{% endfor %}<|im_start|>assistant\n",
            "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}\(turn){% endfor %}",
        ] {
            let file = try model(template)
            defer { do { try FileManager.default.removeItem(at: file) } catch { Issue.record("\(error)") } }
            let engine = try await TinyEngine.cold(file: file)
            let tokens = try await engine.tokens(of: TinyEngine.messages(("system", "Be brief."), ("user", "Hi")))
            let text = try await engine.tokenizer().decode(tokens, skippingControl: true)
            #expect(String(decoding: text, as: UTF8.self).contains("Be brief.\n\nHi"))
            #expect(tokens == (try await engine.tokens(of: TinyEngine.messages(("user", "Be brief.\n\nHi")))))
            let session = LanguageModelSession(model: LocalLanguageModel(at: file), instructions: "Be brief.")
            let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 3)
            let response = try await session.respond(to: "Hi", options: options)
            #expect(response.usage.input.totalTokenCount == tokens.count)
        }
        // A template with the role keeps its turn of its own.
        let engine = try await TinyEngine.cold()
        let tokens = try await engine.tokens(of: TinyEngine.messages(("system", "Be brief."), ("user", "Hi")))
        let text = try await engine.tokenizer().decode(tokens, skippingControl: true)
        #expect(!String(decoding: text, as: UTF8.self).contains("Be brief.\n\nHi"))
    }
}

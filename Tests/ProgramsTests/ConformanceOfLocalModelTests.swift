import HearthChat
import HearthLocal
import HearthTestKit
import HearthTestSupport
import Testing

@Suite("Conformance of the local model")
struct ConformanceOfLocalModelTests {
    @Test(
        "Z-01 Z-02 Z-10 Z-11 X-14 the local model falls into no pitfall, and neither does it as a chat model and back",
        .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
    func local() async {
        let report = await Conformance(variants: ["another file": { LocalLanguageModel(named: "another") }]) {
            LocalLanguageModel(at: Store.defaultModel)
        }.run()
        #expect(report.isClean, "\(report)")
        let chat = await Conformance {
            ChatLanguageModel(FrameworkChatModel(LocalLanguageModel(at: Store.defaultModel), identifier: "local"))
        }.run()
        #expect(chat.isClean, "\(chat)")
    }
}

import HearthLocal
import HearthTokens
import Testing

@Suite("PromptParts and ReplyMemory")
struct PromptPartsTests {
    private func parts(_ runs: (String, Bool)...) -> PromptParts {
        var parts = PromptParts()
        for (text, isData) in runs { parts.append(Array(text.utf8), isData: isData) }
        return parts
    }

    @Test("Neighbours of one origin are joined, empty ones left out")
    func joined() {
        let joined = parts(("a", false), ("", true), ("b", false), ("c", true))
        #expect(joined.parts.map(\.isData) == [false, true])
        #expect(joined.runs.map { String(decoding: $0.bytes, as: UTF8.self) } == ["ab", "c"])
    }

    @Test("What follows a prompt and its reply is found by bytes and origins")
    func rest() {
        let prompt = parts(("<u>", false), ("hi", true), ("<a>", false))
        let next = parts(("<u>", false), ("hi", true), ("<a>", false), ("yes", true), ("<u>", false), ("so", true))
        #expect(next.rest(after: prompt, reply: Array("yes".utf8)) == parts(("<u>", false), ("so", true)))
        #expect(next.rest(after: prompt, reply: Array("ye".utf8)) == parts(("s", true), ("<u>", false), ("so", true)))
        #expect(next.rest(after: prompt, reply: Array("no".utf8)) == nil)
        #expect(next.rest(after: prompt, reply: Array("yes!".utf8)) == nil)
        // The same bytes, typed by the user.
        let typed = parts(("<u>", false), ("hi<a>yes", true), ("<u>", false))
        #expect(typed.rest(after: prompt, reply: Array("yes".utf8)) == nil)
        #expect(prompt.rest(after: next, reply: Array("x".utf8)) == nil)
    }

    @Test("The longest remembered beginning counts, and the oldest are forgotten")
    func memory() throws {
        var memory = ReplyMemory()
        let first = parts(("<", false), ("a", true), (">", false))
        memory.remember(first, reply: Array("b".utf8), tokens: [1, 2])
        var second = first
        second.append(Array("b".utf8), isData: true)
        second.append(Array("|".utf8), isData: false)
        memory.remember(second, reply: Array("c".utf8), tokens: [1, 2, 3, 4])
        var third = second
        third.append(Array("c".utf8), isData: true)
        third.append(Array("!".utf8), isData: false)
        let found = try #require(memory.beginning(of: third))
        #expect(found.tokens == [1, 2, 3, 4] && found.rest == parts(("!", false)))
        #expect(memory.beginning(of: first) == nil)
        for index in 0..<64 { memory.remember(first, reply: Array("x\(index)".utf8), tokens: [Token(index)]) }
        #expect(memory.beginning(of: third) == nil)
    }

    @Test("Of replies with one text and different tokens the asker's own counts, and a longer text before either")
    func ownEntry() {
        var memory = ReplyMemory()
        let prompt = parts(("<", false), ("a", true), (">", false))
        memory.remember(prompt, reply: Array("he".utf8), tokens: [1, 2], entry: "mine")
        memory.remember(prompt, reply: Array("he".utf8), tokens: [3, 4, 5], entry: "other")
        var next = prompt
        next.append(Array("he".utf8), isData: true)
        next.append(Array("|".utf8), isData: false)
        #expect(memory.beginning(of: next, entries: ["mine", "x"])?.tokens == [1, 2])
        #expect(memory.beginning(of: next, entries: ["other"])?.tokens == [3, 4, 5])
        // A transcript that was read from a file by an older program, or no transcript at all: the latest.
        #expect(memory.beginning(of: next)?.tokens == [3, 4, 5])
        memory.remember(prompt, reply: Array("h".utf8), tokens: [6], entry: "mine")
        #expect(memory.beginning(of: next, entries: ["mine"])?.tokens == [1, 2])
    }
}

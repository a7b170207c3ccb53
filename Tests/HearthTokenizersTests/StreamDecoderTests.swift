import HearthTokenizers
import HearthTokens
import Testing

@Suite("StreamDecoder")
struct StreamDecoderTests {
    @Test("T-20 a character over two tokens arrives whole")
    func acrossTokens() throws {
        var facts = Small.bytePair()
        facts.pieces += [Small.spelled([0xF0, 0x9F]), Small.spelled([0x98, 0x80])]
        facts.kinds += [.normal, .normal]
        let tokenizer = try Tokenizer(facts)
        let tokens: [Token] = [256, 257, 0x21]
        var stream = StreamDecoder(tokenizer, skippingControl: true)
        #expect(tokens.map { stream.push($0) } == ["", "😀", "!"])
        #expect(stream.finish().isEmpty)
        #expect(tokenizer.decode(tokens, skippingControl: true) == Array("😀!".utf8))
    }

    @Test("T-20 any bytes, streamed, are the text of the batch", arguments: 0..<8 as Range<UInt64>)
    func anyBytes(seed: UInt64) throws {
        let tokenizer = try Tokenizer(Small.bytePair())
        var random = SeededGenerator(seed: seed)
        for length in 0..<60 {
            // Lead bytes and continuation bytes more often than chance, so that sequences begin, break and end.
            let tokens = (0..<length).map { _ -> Token in
                switch Int.random(in: 0..<4, using: &random) {
                case 0: Token.random(in: 0x80...0xBF, using: &random)
                case 1: Token.random(in: 0xE0...0xF7, using: &random)
                default: Token.random(in: 0...0xFF, using: &random)
                }
            }
            let batch = String(decoding: tokenizer.decode(tokens, skippingControl: true), as: UTF8.self)
            var stream = StreamDecoder(tokenizer, skippingControl: true)
            let joined = tokens.map { stream.push($0) }.joined() + stream.finish()
            #expect(joined.utf8.elementsEqual(batch.utf8), "seed \(seed): \(tokens)")
        }
    }

    @Test("every character of a text comes with the token of its last byte, none later")
    func promptly() throws {
        let tokenizer = try Tokenizer(Small.bytePair())
        for character in ["é", "한", "😀", "\u{7FF}", "\u{800}", "\u{FFFD}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}"] {
            var stream = StreamDecoder(tokenizer, skippingControl: true)
            let events = character.utf8.map { stream.push(Token($0)) }
            #expect(events == Array(repeating: "", count: events.count - 1) + [character])
        }
    }

    @Test("control pieces are left out where that is asked, and nothing else is")
    func control() throws {
        let tokenizer = try Tokenizer(Small.bytePair(added: [("<|end|>", .control), ("<think>", .userDefined)]))
        #expect(tokenizer.decode([97, 256, 257], skippingControl: true) == Array("a<think>".utf8))
        #expect(tokenizer.decode([97, 256, 257], skippingControl: false) == Array("a<|end|><think>".utf8))
    }
}

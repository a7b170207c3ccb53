import HearthLocal
import Testing

@Suite("StopMatcher")
struct StopMatcherTests {
    /// What comes out of each piece, then what was held at the end, and whether a stop was found.
    private func run(_ pieces: [String], stops: [String]) -> (out: [String], rest: String, stopped: Bool) {
        var matcher = StopMatcher(stops.map { Array($0.utf8) })
        let out = pieces.map { piece in
            var output: [UInt8] = []
            matcher.push(piece.utf8, to: &output)
            return String(decoding: output, as: UTF8.self)
        }
        return (out, String(decoding: matcher.finish(), as: UTF8.self), matcher.isStopped)
    }

    @Test("T-47 a stop sequence over three pieces is found, and nothing of it comes out")
    func overPieces() {
        let result = run(["Hi", "\nUser", ":", "more"], stops: ["\nUser:"])
        #expect(result == (["Hi", "", "", ""], "", true))
    }

    @Test("T-48 what was held comes out when the text ends otherwise")
    func held() {
        #expect(run(["ple", "as"], stops: ["assistant"]) == (["ple", ""], "as", false))
    }

    @Test("What cannot begin a stop sequence any more comes out at once")
    func released() {
        #expect(run(["a", "a", "ab", "c"], stops: ["aab!"]) == (["", "", "a", "aabc"], "", false))
        #expect(run(["<|", "im", " x"], stops: ["<|im_end|>"]) == (["", "", "<|im x"], "", false))
    }

    @Test("A sequence that overlaps with itself is found at its first place")
    func overlap() {
        #expect(run(["aaab"], stops: ["aab"]) == (["a"], "", true))
        #expect(run(["abab", "abc"], stops: ["ababc"]) == (["", "ab"], "", true))
    }

    @Test("Of several sequences the first to end counts, and of those that end together the longest")
    func several() {
        #expect(run(["xabcd"], stops: ["bc", "abcd"]) == (["xa"], "", true))
        #expect(run(["xabc"], stops: ["bc", "abc", "c"]) == (["x"], "", true))
        #expect(run(["no stop"], stops: []) == (["no stop"], "", false))
    }

    @Test("Whatever the cuts, the same text comes out as from one piece")
    func cuts() {
        let text = "aabaabaaabcabab"
        for stop in ["aabc", "aaab", "bab", "zzz", "caba"] {
            let whole = run([text], stops: [stop])
            for first in 0...text.count {
                for second in first...text.count {
                    let letters = Array(text)
                    let pieces = [letters[..<first], letters[first..<second], letters[second...]].map { String($0) }
                    let cut = run(pieces, stops: [stop])
                    #expect(
                        cut.out.joined() + cut.rest == whole.out.joined() + whole.rest, "\(stop) at \(first), \(second)"
                    )
                    #expect(cut.stopped == whole.stopped)
                }
            }
        }
    }

    @Test("A character that begins as a stop sequence does is held whole")
    func characters() {
        // é is C3 A9, è is C3 A8: the first byte is held, and both come out together.
        #expect(run(["aé"], stops: ["è"]) == (["aé"], "", false))
        #expect(run(["a", "è", "b"], stops: ["è"]) == (["a", "", ""], "", true))
    }
}

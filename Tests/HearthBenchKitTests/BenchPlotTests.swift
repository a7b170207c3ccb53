import Foundation
import HearthBenchKit
import HearthJSON
import Testing

@Suite("BenchPlot")
struct BenchPlotTests {
    @Test("a panel for each test, a bar for each row as long as its speed, and the peer's below")
    func bars() throws {
        var rows = [
            SamplesTests.result(Samples(tokens: 512, nanoseconds: [1_000_000_000]), .prompt(512)).json,
            SamplesTests.result(Samples(tokens: 128, nanoseconds: [1_000_000_000])).json,
            SamplesTests.result(Samples(tokens: 1, nanoseconds: [1_000_000]), .firstToken(512)).json,
        ]
        var second = try #require(rows[0].objectValue)
        second["model_filename"] = "a&b<c>.gguf"
        second["median_ts"] = 256
        second["peer_median_ts"] = 128
        second["ratio"] = 2
        rows.append(.object(second))
        let svg = BenchPlot.svg(rows)
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(svg.hasSuffix("</svg>\n"))
        // The widest bar has 410 pixels: 512 tokens a second; tg128 is a panel of its own, and as wide.
        #expect(svg.components(separatedBy: "width=\"410\"").count == 3)
        #expect(svg.contains("width=\"205\"") && svg.contains("width=\"102\""))
        #expect(svg.contains("a&amp;b&lt;c&gt;") && svg.contains("256.0 (\u{D7} 2.00)"))
        #expect(svg.contains(">pp512, tokens a second<") && !svg.contains("ttft512"))
        #expect(svg.components(separatedBy: "<text").count == svg.components(separatedBy: "</text>").count)
    }

    @Test("no rows make an empty picture")
    func empty() { #expect(BenchPlot.svg([]).hasSuffix("</svg>\n")) }
}

import Foundation
import HearthBenchKit
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthTestSupport
import Testing

@Suite("Peer")
struct PeerTests {
    /// A folder with two programs that write their words to a log and print what they are told to.
    final class Scripts {
        let folder: URL
        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        deinit { _ = try? FileManager.default.removeItem(at: folder) }

        func add(_ name: String, prints text: String, status: Int = 0, errors: String = "") throws -> URL {
            let (file, output) = (folder.appending(path: name), folder.appending(path: "\(name).out"))
            try Data(text.utf8).write(to: output)
            let script = """
                #!/bin/sh
                echo "\(name) $*" >> '\(folder.path)/log'
                cat '\(output.path)'
                echo '\(errors)' >&2
                exit \(status)

                """
            try Data(script.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            return file
        }

        var log: [String] {
            get throws {
                try String(contentsOf: folder.appending(path: "log"), encoding: .utf8).split(separator: "\n").map(String.init)
            }
        }
    }

    /// As llama-bench prints a row: fields that we have too, and some of its own.
    static func theirs(_ prompt: Int, _ generated: Int, _ times: [Int]) -> JSON {
        [
            "build_commit": "f00", "build_number": 11434, "model_filename": "m.gguf", "flash_attn": -1,
            "n_prompt": .integer(Int64(prompt)), "n_gen": .integer(Int64(generated)), "n_depth": 0,
            "samples_ns": .array(times.map { .integer(Int64($0)) }), "samples_ts": [],
        ]
    }

    static let tests: [BenchTest] = [.prompt(tokens: 512, depth: 0), .generation(tokens: 128, depth: 0)]

    static func turn(_ options: ModelOptions = ModelOptions(threads: 2), batch: Int? = nil) -> Peer.Turn {
        Peer.Turn(
            setting: BenchSetting(file: URL(filePath: "/m.gguf"), options: options), tests: tests, batch: batch,
            repetitions: 2)
    }

    static func ours() throws -> String {
        try BenchRows.json([
            SamplesTests.result(Samples(tokens: 512, nanoseconds: [400_000_000, 500_000_000]), .prompt(512)).json,
            SamplesTests.result(Samples(tokens: 128, nanoseconds: [500_000_000, 500_000_000])).json,
        ])
    }

    @Test("both run in turn, the first one changing from round to round, and ratios are of the medians")
    func turns() async throws {
        let scripts = try Scripts()
        let peer = try Peer(
            path: try scripts.add(
                "peer",
                prints: BenchRows.json([
                    Self.theirs(512, 0, [900_000_000, 900_000_000]), Self.theirs(0, 128, [1_000_000_000, 1_000_000_000]),
                ])
            ).path,
            ours: try scripts.add("ours", prints: Self.ours()))
        let rows = try await PeerRounds(peer, rounds: 3, flashAttention: [nil]).measure(Self.turn())
        #expect(try scripts.log.map { $0.split(separator: " ")[0] } == ["ours", "peer", "peer", "ours", "ours", "peer"])
        #expect(rows.map { $0["test"]?.stringValue } == ["pp512", "tg128"])
        #expect(rows[0]["samples_ns"]?.arrayValue?.count == 6)
        #expect(rows[0]["peer_samples_ns"]?.arrayValue?.count == 6)
        // The median of speeds 1280 and 1024 is 1152; theirs is 568.9.
        #expect(abs(try #require(rows[0]["ratio"]?.doubleValue) - 1152 / (512 / 0.9)) < 1e-9)
        #expect(rows[1]["ratio"]?.doubleValue == 2)
        #expect(rows[1]["ratio_low"]?.doubleValue == 2)
        #expect(rows[1]["peer_build_number"]?.intValue == 11434)
        let text = BenchMarkdown.text(rows)
        #expect(text.contains("| m     | native  | 2       | tg128 | 256.0    | 128.0    | 2.00  | 2.00 to 2.00 |"), "\(text)")
        #expect(text.contains("peer peer build f00"))
    }

    @Test("the load of a row is the median of all turns' loads, and so is the rate of fresh memory")
    func loads() async throws {
        let scripts = try Scripts()
        let texts = try [300, 100, 200].map { milliseconds in
            var result = SamplesTests.result(Samples(tokens: 128, nanoseconds: [500_000_000]))
            result.subject.load = .milliseconds(milliseconds)
            result.subject.freshMemory = Double(milliseconds) * 1e6
            return try BenchRows.json([result.json])
        }
        for (turn, text) in texts.enumerated() { _ = try scripts.add("turn\(turn + 1)", prints: text) }
        let ours = try scripts.add("ours", prints: "")
        try Data(
            """
            #!/bin/sh
            echo ours >> '\(scripts.folder.path)/log'
            cat "\(scripts.folder.path)/turn$(grep -c ours '\(scripts.folder.path)/log').out"

            """.utf8
        ).write(to: ours)
        let peer = try Peer(path: try scripts.add("peer", prints: BenchRows.json([Self.theirs(0, 128, [1])])).path, ours: ours)
        var turn = Self.turn()
        turn.tests = [.generation(tokens: 128, depth: 0)]
        let row = try #require(try await PeerRounds(peer, rounds: 3, flashAttention: [nil]).measure(turn).first)
        #expect(row["load_ns"]?.intValue == 200_000_000)
        #expect(row["fresh_memory"]?.doubleValue == 2e8)
    }

    @Test("each value of -fa is a row of its own beside the same turns of ours")
    func flashAttention() async throws {
        let scripts = try Scripts()
        let peer = try Peer(
            path: try scripts.add(
                "peer", prints: BenchRows.json([Self.theirs(512, 0, [1]), Self.theirs(0, 128, [1])])
            ).path, ours: try scripts.add("ours", prints: Self.ours()))
        let rows = try await PeerRounds(peer, rounds: 2, flashAttention: ["0", "1"]).measure(Self.turn())
        #expect(rows.map { $0["peer_flash_attn"]?.stringValue } == ["0", "1", "0", "1"])
        #expect(try scripts.log.filter { $0.hasPrefix("ours") }.count == 2)
        #expect(try scripts.log.filter { $0.hasSuffix("-fa 1") }.count == 2)
    }

    @Test("the same is asked of both, in each one's spelling")
    func words() throws {
        let peer = try Peer(path: "/bin/sh", ours: URL(filePath: "/bin/sh"))
        let turn = Self.turn(ModelOptions(kv: .q8_0, threads: 2, kernels: .portable, backend: .native), batch: 128)
        let shared = "-m /m.gguf -p 512 -n 128 -d 0 -r 2 -o json -t 2"
        #expect(
            peer.ownWords(turn).joined(separator: " ")
                == shared + " -b 128 --kv q8_0 --backend native --kernels portable --bandwidth 0 --loop 0")
        #expect(
            peer.peerWords(turn, threads: 2, flashAttention: "1").joined(separator: " ")
                == shared + " -b 128 -ub 128 -ctk q8_0 -ctv q8_0 -fa 1")
        // What we print for ourselves is what our own table takes.
        _ = try BenchPlanTests.parse(peer.ownWords(turn))
        var pair = Self.turn()
        pair.tests = [.both(prompt: 8, generation: 4, depth: 32)]
        #expect(peer.peerWords(pair, threads: 1, flashAttention: nil).prefix(8) == ["-m", "/m.gguf", "-p", "0", "-n", "0", "-pg", "8,4"])
    }

    @Test(
        "what the peer has no figure for is told in its row, and the other rows stay",
        arguments: [
            ("", 1, "main: error: failed to load model", "ended with status 1: main: error: failed to load model"),
            ("hello", 0, "", "printed no JSON of llama-bench: "),
            (#"[{"model_filename": "m", "n_prompt": 512, "n_gen": 0, "samples_ns": [1]}]"#, 0, "", "has no row for tg128"),
            (
                #"[{"model_filename": "m", "n_prompt": 0, "n_gen": 128, "samples_ns": []}]"#, 0, "",
                "has no samples for tg128"
            ),
        ])
    func failures(output: String, status: Int, errors: String, expected: String) async throws {
        let scripts = try Scripts()
        let peer = try Peer(
            path: try scripts.add("peer", prints: output, status: status, errors: errors).path,
            ours: try scripts.add("ours", prints: Self.ours()))
        let rows = try await PeerRounds(peer, rounds: 1, flashAttention: [nil]).measure(Self.turn())
        #expect(rows.count == 2)
        #expect(rows[1]["peer_error"]?.stringValue?.hasPrefix(expected) == true, "\(rows[1])")
        #expect(rows[1]["ratio"]?.isNull == true)
        #expect(rows[1]["median_ts"]?.doubleValue == 256)
        #expect(BenchMarkdown.text(rows).contains("not measured: the peer \(expected)"))
        // Only the peer with a sample for the first row gives it a ratio.
        #expect(PeerRounds.withoutRatio(rows) == (output.contains("[1]") ? ["m tg128"] : ["m pp512", "m tg128"]))
    }

    @Test("rows that stand beside no peer are asked for no ratio")
    func withoutPeer() {
        let row = SamplesTests.result(Samples(tokens: 512, nanoseconds: [1_000_000])).json
        #expect(PeerRounds.withoutRatio([row]).isEmpty)
    }

    @Test("a peer that is no program is refused before anything runs")
    func noPeer() throws {
        let scripts = try Scripts()
        let file = scripts.folder.appending(path: "text")
        try Data("x".utf8).write(to: file)
        for (path, reason) in [
            ("/no/such", "there is no such file"), (scripts.folder.path, "it is a folder"),
            (file.path, "it is not executable"),
        ] {
            #expect(throws: BenchError.noPeer(path: path, reason: reason)) { try Peer(path: path) }
        }
    }

    @Test("our own turn that fails ends the run with its words")
    func ownFailure() async throws {
        let scripts = try Scripts()
        let peer = try Peer(
            path: "/bin/sh",
            ours: try scripts.add("ours", prints: #"{"error": {"code": 4, "message": "Broken."}}"#, status: 4))
        await #expect(throws: BenchError.ownTurn(status: 4, words: "Broken.")) {
            try await PeerRounds(peer, rounds: 1, flashAttention: [nil]).measure(Self.turn())
        }
    }
}

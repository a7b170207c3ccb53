import Foundation
import HearthInference
package import HearthJSON

/// Rounds of turns: ours, then theirs; in every second round theirs first, so that neither always finds the machine as the
/// other left it.
package struct PeerRounds: Sendable {
    let peer: Peer
    let rounds: Int
    /// The peer's `-fa`; nil is its own default. Each is a row.
    let flashAttention: [String?]

    package init(_ peer: Peer, rounds: Int, flashAttention: [String?]) {
        self.peer = peer
        self.rounds = rounds
        self.flashAttention = flashAttention
    }

    /// All samples of one test, a list for each round.
    fileprivate struct Gathered {
        var row: JSON?
        var nanoseconds: [[Int64]] = []
        /// Figures of every turn's load, by their names in a row.
        var loads: [String: [Double]] = [:]
        var failure: PeerFailure?

        /// Tokens a second of a round's median run.
        func speed(_ round: Int, tokens: Int) -> Double? {
            guard nanoseconds.indices.contains(round) else { return nil }
            return Samples(tokens: tokens, nanoseconds: nanoseconds[round]).medianSpeed
        }
    }

    /// One row per test and `-fa`, in the order of the tests.
    /// - Parameter note: told what is about to run.
    package func measure(_ turn: Peer.Turn, note: (String) -> Void = { _ in }) async throws -> [JSON] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }  // what stays is the system's to clear

        let names = turn.tests.map(Peer.name)
        var ours = [Gathered](repeating: Gathered(), count: names.count)
        var theirs = [[Gathered]](
            repeating: [Gathered](repeating: Gathered(), count: names.count), count: flashAttention.count)
        // Ours comes first of all: it says how many threads both are to use.
        var threads = turn.setting.options.threads
        for round in 0..<rounds {
            let order = round % 2 == 0 ? [0] + Array(1...flashAttention.count) : Array(1...flashAttention.count) + [0]
            for place in order {
                note("round \(round + 1) of \(rounds), \(place == 0 ? "ours" : "peer"): \(turn.setting.file.lastPathComponent)")
                if place == 0 {
                    let rows = try await peer.ownTurn(turn, in: folder)
                    threads = threads ?? RowReader(rows[0]).int("n_threads")
                    for (index, name) in names.enumerated() { ours[index].take(name, from: rows) }
                } else {
                    let result = try await peer.peerTurn(
                        turn, threads: threads ?? 1, flashAttention: flashAttention[place - 1], in: folder)
                    for (index, name) in names.enumerated() { theirs[place - 1][index].take(name, from: result) }
                }
            }
        }
        return names.indices.flatMap { index in
            flashAttention.indices.map { row(ours[index], theirs[$0][index], flashAttention[$0]) }
        }
    }

    /// Titles of rows that stand beside a peer's and have no ratio.
    package static func withoutRatio(_ rows: [JSON]) -> [String] {
        rows.filter { $0["peer"] != nil && $0["ratio"]?.doubleValue == nil }.map {
            RowReader($0).title + ($0["peer_flash_attn"]?.stringValue.map { ", fa \($0)" } ?? "")
        }
    }

    /// Our row over all rounds, with the peer's figures beside it.
    private func row(_ ours: Gathered, _ theirs: Gathered, _ flashAttention: String?) -> JSON {
        var row = ours.row?.objectValue ?? JSONObject()
        let tokens = RowReader(.object(row)).int("n_timed") ?? 0
        row.setTimes(Samples(tokens: tokens, nanoseconds: ours.nanoseconds.flatMap { $0 }))
        // Each turn is a process that loads the model itself.
        for (name, figures) in ours.loads { row[name] = .integer(Int64(Samples.median(figures).rounded())) }
        let samples = Samples(tokens: tokens, nanoseconds: theirs.nanoseconds.flatMap { $0 })
        let peerRow = RowReader(theirs.row ?? .null)
        row["peer"] = .string(peer.theirs.lastPathComponent)
        row["peer_build_commit"] = .string(peerRow.text("build_commit"))
        row["peer_build_number"] = .whole(peerRow.int("build_number"))
        row["peer_flash_attn"] = flashAttention.map { .string($0) } ?? .null
        row["peer_error"] = theirs.failure.map { .string($0.description) } ?? .null
        row["peer_samples_ns"] = .array(samples.nanoseconds.map { .integer($0) })
        row["peer_avg_ts"] = .finite(samples.meanSpeed)
        row["peer_stddev_ts"] = .finite(samples.deviationOfSpeed)
        row["peer_median_ts"] = .finite(samples.medianSpeed)
        let medians = (RowReader(.object(row)).number("median_ts"), samples.medianSpeed)
        row["ratio"] = .finite(medians.0.flatMap { ours in medians.1.map { ours / $0 } })
        let ratios = (0..<rounds).compactMap { round in
            ours.speed(round, tokens: tokens).flatMap { own in theirs.speed(round, tokens: tokens).map { own / $0 } }
        }
        row["ratio_low"] = .finite(ratios.min())
        row["ratio_high"] = .finite(ratios.max())
        row["rounds"] = .integer(Int64(rounds))
        return .object(row)
    }
}

extension PeerRounds.Gathered {
    /// Adds the samples of the row that has this test's numbers.
    fileprivate mutating func take(_ name: RowName, from rows: [JSON]) {
        let found = rows.first {
            let row = RowReader($0)
            return row.int("n_prompt") == name.prompt && row.int("n_gen") == name.generated
                && (row.int("n_depth") ?? 0) == name.depth
        }
        guard let found else { return fail(.noRow(test: name.full)) }
        let times = found["samples_ns"]?.arrayValue?.compactMap(\.intValue).map(Int64.init) ?? []
        guard !times.isEmpty, times.allSatisfy({ $0 > 0 }) else { return fail(.noSamples(test: name.full)) }
        row = row ?? found
        for name in ["load_ns", "fresh_memory"] {
            if let figure = RowReader(found).number(name) { loads[name, default: []].append(figure) }
        }
        nanoseconds.append(times)
    }

    fileprivate mutating func take(_ name: RowName, from result: Result<[JSON], PeerFailure>) {
        switch result {
        case .success(let rows): take(name, from: rows)
        case .failure(let failure): fail(failure)
        }
    }

    /// The first failure is told; the round has no samples.
    private mutating func fail(_ failure: PeerFailure) {
        self.failure = self.failure ?? failure
        nanoseconds.append([])
    }
}

extension Peer {
    static func name(_ test: BenchTest) -> RowName {
        switch test {
        case .prompt(let tokens, let depth): .prompt(tokens, depth: depth)
        case .generation(let tokens, let depth): .generation(tokens, depth: depth)
        case .both(let prompt, let tokens, let depth): .both(prompt, tokens, depth: depth)
        case .request, .prefix, .sampling: preconditionFailure("the peer has no such test")
        }
    }
}

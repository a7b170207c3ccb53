import Foundation
import HearthJSON
import HearthLocks
import HearthModels

/// `hearth pull NAME`: fetches a model of the catalogue into the store, once.
struct PullVerb {
    let arguments: Arguments
    let store: ModelStore

    init(_ arguments: Arguments, store: ModelStore = .standard()) {
        self.arguments = arguments
        self.store = store
    }

    func run() async throws {
        let entries: [CatalogueEntry]
        if arguments.flag("--all") {
            if let name = arguments.operand { throw CommandError.unexpectedArgument(verb: "pull", argument: name) }
            entries = store.catalogue.entries
        } else {
            guard let name = arguments.operand else {
                throw CommandError.missingArgument(verb: "pull", argument: "NAME")
            }
            entries = [try store.entry(name)]
        }
        var models: [JSON] = []
        for entry in entries { models.append(Self.report(entry, try await fetch(entry), store)) }
        if arguments.flag("--json") {
            let report: JSON = ["store": .string(store.folder.path), "models": .array(models)]
            try StandardOutput.write(try report.text(.compact) + "\n")
        }
    }

    /// How one model ended well: `fetched`, or it was here and `checked` now, or earlier.
    private static func report(_ entry: CatalogueEntry, _ result: FetchResult, _ store: ModelStore) -> JSON {
        let word =
            switch result {
            case .fetched: "fetched"
            case .wasRight: "checked"
            case .wasReady: "ready"
            }
        return [
            "name": .string(entry.name), "result": .string(word), "bytes": .integer(entry.size),
            "file": .string(store.location(of: entry).path),
        ]
    }

    private func fetch(_ entry: CatalogueEntry) async throws -> FetchResult {
        if store.state(of: entry) == .ready {
            say("\(entry.name) is here: \(store.location(of: entry).path)")
            return .wasReady
        }
        say("fetching \(entry.name) (\(ByteCount.text(entry.size)), \(entry.licence)) into \(store.folder.path)")
        let line = ProgressLine(isTerminal: StandardError.isTerminal)
        let fetcher = ModelFetcher(store: store)
        let result = try await Signals.shared.stoppable {
            defer { line.clear() }
            return try await fetcher.fetch(entry) { line.show($0) }
        }
        switch result {
        case .fetched: say("\(entry.name) is fetched and has the right SHA-256")
        case .wasRight: say("\(entry.name) was there and has the right SHA-256")
        case .wasReady: say("\(entry.name) is here: \(store.location(of: entry).path)")
        }
        return result
    }

    private func say(_ text: String) { StandardError.line("hearth: \(text)") }
}

/// The bar of a fetch: one line that is written over, on a terminal only.
final class ProgressLine: Sendable {
    private let isTerminal: Bool
    private let shown = Locked("")

    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    func show(_ progress: FetchProgress) {
        guard isTerminal else { return }
        let text = Self.text(progress)
        shown.withLock { last in
            guard last != text else { return }
            last = text
            // Back to the beginning of the line, and clear to its end.
            StandardError.write("\r\u{1B}[K" + text)
        }
    }

    func clear() {
        shown.withLock { last in
            if !last.isEmpty { StandardError.write("\r\u{1B}[K") }
            last = ""
        }
    }

    /// `[##########----------]  50 %  49 MB of 98 MB, piece 1 of 2`
    static func text(_ progress: FetchProgress) -> String {
        let width: Int64 = 20
        let total = max(1, progress.total)
        let done = min(max(0, progress.bytes), total)
        let bar = String(repeating: "#", count: Int(done * width / total))
        let rest = String(repeating: "-", count: Int(width) - bar.count)
        let percent = "\(done * 100 / total)"
        let step =
            switch progress.step {
            case .waiting: "waiting for another process"
            case .downloading(let piece, let of): "piece \(piece) of \(of)"
            case .unpacking(let piece, let of): "unpacking \(piece) of \(of)"
            case .checking: "comparing SHA-256"
            }
        return "[\(bar)\(rest)] \(String(repeating: " ", count: 3 - percent.count))\(percent) %  "
            + "\(ByteCount.text(done)) of \(ByteCount.text(progress.total)), \(step)"
    }
}

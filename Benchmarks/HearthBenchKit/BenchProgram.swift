import Foundation
import Glibc
package import HearthCommands
import HearthJSON
import HearthLocks

/// `hearth-bench`: words in, measurements out.
package enum BenchProgram {
    package static func main() async -> Never {
        Signals.shared.install()
        exit(await run(Program.rawArguments().map { String(decoding: $0, as: UTF8.self) }).rawValue)
    }

    /// The program for given words. An error goes to standard error, or as an object to standard output where rows would
    /// have gone there as JSON.
    package static func run(_ words: [String]) async -> ExitCode {
        do {
            return try await run(ArgumentParser(BenchTable.table).parse(words))
        } catch CommandError.helpAsked {
            return help()
        } catch CommandError.closedPipe {
            return .closedPipe  // nobody reads on
        } catch {
            let failure = failure(for: error)
            guard wantsJSON(words) else {
                StandardError.line("hearth-bench: \(failure.words)")
                return failure.code
            }
            do { try StandardOutput.write(failure.json.text(.compact) + "\n") } catch { return self.failure(for: error).code }
            return failure.code
        }
    }

    package static func failure(for error: any Error) -> Failure {
        if let error = error as? BenchError { return Failure(code: error.code, words: error.description) }
        return ErrorMapper.failure(for: error)
    }

    /// Before the words are parsed, since parsing may be what fails.
    private static func wantsJSON(_ words: [String]) -> Bool {
        let formats = ["json", "jsonl"]
        return zip(words, words.dropFirst()).contains { ["-o", "--output"].contains($0) && formats.contains($1) }
            || words.contains { word in formats.contains { word == "--output=\($0)" } }
    }

    private static func help() -> ExitCode {
        do {
            try StandardOutput.write(HelpText.verb(BenchTable.table, program: ""))
            return .done
        } catch {
            return Program.report(error, asJSON: false)
        }
    }

    static func run(_ arguments: Arguments) async throws -> ExitCode {
        try check(arguments)
        let old = try arguments.text("--compare").map { try file($0) }
        let read = try arguments.texts("--read").flatMap { try file($0) }
        let rows = Locked(read)
        var cause: (any Error)?
        if read.isEmpty {
            let measure = try BenchRun(arguments)
            do {
                try await Signals.shared.stoppable { try await measure.run { row in rows.withLock { $0.append(row) } } }
            } catch {
                cause = error  // what was measured until then is told first
            }
        }

        let measured = rows.withLock { $0 }
        if let cause, measured.isEmpty { throw cause }
        if let path = arguments.text("--save") { try write(BenchRows.json(measured), to: path) }
        if let path = arguments.text("--plot") { try write(BenchPlot.svg(measured), to: path) }
        let comparison = old.map { Comparison(new: measured, old: $0) }
        var shown = comparison?.json ?? measured
        let format = arguments.text("-o") ?? "md"
        let failure = cause.map { self.failure(for: $0) }
        // The last element says why the rest is missing.
        if let failure, format.hasPrefix("json") { shown.append(failure.json) }
        switch format {
        case "json": try StandardOutput.write(BenchRows.json(shown))
        case "jsonl": try StandardOutput.write(BenchRows.jsonl(shown))
        case "csv": try StandardOutput.write(BenchRows.csv(shown))
        default: try StandardOutput.write(BenchMarkdown.text(shown) + (comparison == nil ? "" : Comparison.note))
        }
        if let failure, format.hasPrefix("json") { return failure.code }
        if let cause { throw cause }
        // Standard output has the rows already.
        var code = ExitCode.done
        func fail(_ error: BenchError) {
            StandardError.line("hearth-bench: \(error)")
            code = error.code
        }
        if let percent = arguments.number("--fail-if-slower"), let comparison {
            let slower = comparison.slower(thanBy: percent)
            if !slower.isEmpty { fail(.slower(rows: slower, percent: percent)) }
            if !comparison.hasJudged { fail(.nothingJudged(verdicts: comparison.verdicts)) }
        }
        let missing = read.isEmpty ? PeerRounds.withoutRatio(measured) : []
        if !missing.isEmpty { fail(.noRatio(rows: missing)) }
        return code
    }

    /// Options that mean nothing without another one, or beside it.
    package static func check(_ arguments: Arguments) throws {
        func given(_ name: String) -> Bool { !arguments.all(name).isEmpty }
        for (option, other) in [("--fail-if-slower", "--compare"), ("--rounds", "--peer"), ("--peer-fa", "--peer")]
        where given(option) && !given(other) {
            throw BenchError.needs(option: option, other: other)
        }
        let table = BenchTable.table
        if given("--peer") {
            for option in ["--request", "--prefix", "--sampling", "--quantize"] where given(option) {
                throw CommandError.notTogether(
                    verb: table.name, "--peer", option, why: "llama-bench has no such measurement")
            }
        }
        if given("--read") {
            for option in table.options.map(\.name)
            where !["--read", "-o", "--save", "--plot", "--compare", "--fail-if-slower"].contains(option) && given(option) {
                throw CommandError.notTogether(verb: table.name, "--read", option, why: "what is read is not measured again")
            }
        }
    }

    private static func file(_ path: String) throws -> [JSON] {
        let bytes: [UInt8]
        do { bytes = [UInt8](try Data(contentsOf: URL(filePath: path))) } catch {
            throw CommandError.unreadable(path: path, reason: reason(error))
        }
        return try BenchRows.read(bytes, from: path)
    }

    /// Whole or not at all.
    private static func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw CommandError.unwritable(path: path, reason: reason(error))
        }
    }

    /// The system's own words where there are some.
    private static func reason(_ error: any Error) -> String {
        guard let cause = (error as? CocoaError)?.underlying as? POSIXError else { return error.localizedDescription }
        return unsafe String(cString: strerror(cause.code.rawValue))
    }
}

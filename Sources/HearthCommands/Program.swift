import Glibc
import HearthJSON

/// The program: words in, a verb run, a status out.
///
/// Everything that a verb throws comes through here once: the status is chosen (`ErrorMapper`), and the words go to
/// standard error, or as an object to standard output when `--json` was asked for.
package enum Program {
    package static let version = "0.1.0"

    /// Runs the command line of this process and ends it.
    package static func main() async -> Never {
        Signals.shared.install()
        exit(await run(rawArguments()).rawValue)
    }

    /// The same for given words: bytes, since an argument may be no UTF-8.
    package static func run(_ raw: [[UInt8]]) async -> ExitCode {
        var wantsJSON = false
        do {
            let words = try Program.texts(raw)
            wantsJSON = words.prefix { $0 != "--" }.contains("--json")
            return try await dispatch(words)
        } catch {
            return report(error, asJSON: wantsJSON)
        }
    }

    private static func dispatch(_ words: [String]) async throws -> ExitCode {
        guard let first = words.first else { throw CommandError.noVerb }
        switch first {
        case "--help", "-h", "help":
            let verb = first == "help" ? words.dropFirst().first : nil
            if let verb, let table = Verbs.all.first(where: { $0.name == verb }) {
                try StandardOutput.write(HelpText.verb(table))
            } else {
                try StandardOutput.write(HelpText.overview(Verbs.all))
            }
            return .done
        case "--version":
            try StandardOutput.write("hearth \(version)\n")
            return .done
        default: break
        }
        guard let table = Verbs.all.first(where: { $0.name == first }) else {
            if Verbs.notYet.contains(first) { throw CommandError.verbNotYet(first) }
            throw CommandError.unknownVerb(
                first, suggestion: Suggestion.nearest(to: first, among: Verbs.all.map(\.name)))
        }
        let arguments = try ArgumentParser(table).parse(Array(words.dropFirst()))
        switch table.name {
        case "doctor": try DoctorVerb(arguments).run()
        case "list": try ListVerb(arguments).run()
        case "pull": try await PullVerb(arguments).run()
        case "show": try ShowVerb(arguments).run()
        case "tokenize": try TokenizeVerb(arguments).run()
        case "quantize": try QuantizeVerb(arguments).run()
        case "embed": try await EmbedVerb(arguments).run()
        case "score": try await ScoreVerb(arguments).run()
        case "run": return try await RunVerb(arguments).run()
        default: preconditionFailure("the table lists \(table.name), which has no implementation")
        }
        return .done
    }

    /// Says what went wrong, once, and gives its status.
    package static func report(_ error: any Error, asJSON: Bool) -> ExitCode {
        let failure = ErrorMapper.failure(for: error)
        switch error {
        case CommandError.helpAsked(let verb):
            guard let table = Verbs.all.first(where: { $0.name == verb }) else { return .internalError }
            do { try StandardOutput.write(HelpText.verb(table)) } catch { return report(error, asJSON: false) }
            return .done
        case CommandError.closedPipe: return .closedPipe  // nobody reads on
        default: break
        }
        guard asJSON else {
            StandardError.line("hearth: \(failure.words)")
            return failure.code
        }
        do {
            try StandardOutput.write(failure.json.text(.compact) + "\n")
        } catch {
            return report(error, asJSON: false)
        }
        return failure.code
    }

    private static func texts(_ raw: [[UInt8]]) throws(CommandError) -> [String] {
        var words: [String] = []
        for (index, bytes) in raw.enumerated() {
            guard let word = String(validating: bytes, as: UTF8.self) else {
                throw .argumentNotText(index: index + 1, byte: TextFile.firstInvalid(bytes))
            }
            words.append(word)
        }
        return words
    }

    /// The arguments as the system gave them; `CommandLine.arguments` would mend broken bytes in silence.
    package static func rawArguments() -> [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            guard let text = unsafe CommandLine.unsafeArgv[index] else { return nil }
            return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
        }
    }
}

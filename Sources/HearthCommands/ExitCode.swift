/// The statuses that the program ends with: a promise to scripts, listed in `hearth --help` and the README.
package enum ExitCode: Int32, Sendable {
    case done = 0
    case internalError = 1
    case usage = 2
    case modelNotFound = 3
    case badModelFile = 4
    case promptTooLong = 5
    /// A capability, an option or a template said no.
    case refused = 6
    case fetch = 7
    case disk = 8
    /// 128 and the number of SIGINT.
    case interrupted = 130
    /// 128 and the number of SIGPIPE.
    case closedPipe = 141
    /// 128 and the number of SIGTERM.
    case terminated = 143

    /// The word in JSON error objects.
    package var word: String {
        switch self {
        case .done: "done"
        case .internalError: "internal"
        case .usage: "usage"
        case .modelNotFound: "model_not_found"
        case .badModelFile: "bad_model_file"
        case .promptTooLong: "prompt_too_long"
        case .refused: "refused"
        case .fetch: "fetch"
        case .disk: "disk"
        case .interrupted: "interrupted"
        case .closedPipe: "closed_pipe"
        case .terminated: "terminated"
        }
    }
}

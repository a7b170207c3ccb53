public import Foundation

extension LanguageModelSession {
    /// A session that was used in a way it cannot be used.
    public enum Error: LocalizedError, Equatable, Hashable, CustomDebugStringConvertible {
        /// A request was made while another one of the session was running.
        case concurrentRequests
        /// The transcript was set while a request was running; that request ends with this error.
        case transcriptMutationWhileResponding

        public var errorDescription: String? {
            switch self {
            case .concurrentRequests:
                "The session is answering another request. Wait for it, or use a second session."
            case .transcriptMutationWhileResponding:
                "The transcript was changed while the session was answering. Change it between requests."
            }
        }

        public var debugDescription: String {
            switch self {
            case .concurrentRequests: "LanguageModelSession.Error.concurrentRequests"
            case .transcriptMutationWhileResponding:
                "LanguageModelSession.Error.transcriptMutationWhileResponding"
            }
        }
    }

    /// A tool that failed, with what it threw.
    public struct ToolCallError: Swift.Error, LocalizedError {
        public var tool: any Tool
        public var underlyingError: any Swift.Error

        public init(tool: any Tool, underlyingError: any Swift.Error) {
            self.tool = tool
            self.underlyingError = underlyingError
        }

        public var errorDescription: String? {
            let reason = (underlyingError as? any LocalizedError)?.errorDescription ?? "\(underlyingError)"
            return "The tool '\(tool.name)' failed: \(reason)"
        }
    }
}

/// Why a session gave up calling tools.
package enum ToolLoopProblem: LocalizedError, Equatable {
    /// The model went on calling tools, round after round.
    case tooManyRounds(Int)

    package var errorDescription: String? {
        switch self {
        case .tooManyRounds(let count):
            "The model called tools \(count) times in a row without answering. "
                + "Change the instructions, or set toolCallingMode to .disallowed for the answer."
        }
    }
}

package import HearthJSON

/// What goes out for an error: a status and words.
package struct Failure: Sendable, Equatable {
    package let code: ExitCode
    package let words: String

    /// `{"error": {"code": 3, "kind": "model_not_found", "message": "..."}}`
    package var json: JSON {
        ["error": ["code": .integer(Int64(code.rawValue)), "kind": .string(code.word), "message": .string(words)]]
    }
}

/// The one place where errors of the rooms become statuses of the program.
package enum ErrorMapper {
    package static func failure(for error: any Error) -> Failure {
        switch error {
        case let error as CommandError: Failure(code: error.code, words: error.description)
        default: Failure(code: .internalError, words: "Something inside went wrong: \(error). Please report it with the command that was run.")
        }
    }
}

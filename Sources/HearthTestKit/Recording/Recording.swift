public import Foundation
public import FoundationModels

/// What a model answered, round by round: kept in a file and played back without the model.
///
///     let recorder = RecordingLanguageModel(realModel)
///     try await LanguageModelSession(model: recorder).respond(to: "Why is the sky blue?")
///     try recorder.recording.write(to: file)
///
///     let replay = ReplayLanguageModel(try Recording(contentsOf: file))
///     let answer = try await LanguageModelSession(model: replay).respond(to: "Why is the sky blue?")
public struct Recording: Sendable {
    /// One call of an executor.
    public struct Round: Sendable {
        /// The transcript that was sent, an entry each, as entries describe themselves.
        public var asked: [String]
        public var events: [LanguageModelExecutorGenerationChannel.Event]
        /// How the round ended, where it did not end well.
        public var failure: (any Error)?

        public init(
            asked: [String], events: [LanguageModelExecutorGenerationChannel.Event] = [], failure: (any Error)? = nil
        ) {
            self.asked = asked
            self.events = events
            self.failure = failure
        }
    }

    public var capabilities: LanguageModelCapabilities
    public var rounds: [Round]

    public init(capabilities: LanguageModelCapabilities, rounds: [Round] = []) {
        self.capabilities = capabilities
        self.rounds = rounds
    }

    /// Reads the JSON form.
    /// - Throws: ``RecordingError``, or what reading the file gives.
    public init(contentsOf file: URL) throws {
        try self.init(json: String(decoding: Data(contentsOf: file), as: UTF8.self))
    }

    public func write(to file: URL) throws {
        try Data(json.utf8).write(to: file, options: .atomic)
    }
}

extension Transcript {
    /// The entries without the ids, which differ from run to run.
    var descriptions: [String] { map(\.description) }
}

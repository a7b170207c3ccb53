/// A model that a ``LanguageModelSession`` can talk to: a light value that names what is wanted.
///
/// The work is done by its ``LanguageModelExecutor``, which the session makes once per configuration and keeps for as
/// long as the session lives. Put what identifies the resource (a file, an endpoint, an account) into the
/// configuration; anything else may stay in the model value, which travels with every request.
public protocol LanguageModel: Sendable {
    associatedtype Executor: LanguageModelExecutor where Self == Self.Executor.Model

    /// What the model can do. Asked before every request.
    var capabilities: LanguageModelCapabilities { get }

    /// The key under which a session keeps this model's executor. Equal keys share one executor.
    var executorConfiguration: Self.Executor.Configuration { get }

    /// Whether data attachments of this type can be sent to the model. `false` unless implemented.
    nonisolated(nonsending) func supportsDataAttachmentType(_ type: UTType) async throws -> Bool

    /// Whether the model may produce data entries of this type. `false` unless implemented.
    nonisolated(nonsending) func supportsDataEntryType(_ type: UTType) async throws -> Bool
}

extension LanguageModel {
    public nonisolated(nonsending) func supportsDataAttachmentType(_ type: UTType) async throws -> Bool { false }

    public nonisolated(nonsending) func supportsDataEntryType(_ type: UTType) async throws -> Bool { false }
}

public import Foundation
public import FoundationModels
import HearthModels

/// A model that runs on this machine, from a GGUF file.
///
///     let session = LanguageModelSession(model: LocalLanguageModel(named: "smollm2"), instructions: "Be brief.")
///     let answer = try await session.respond(to: "Why is the sky blue?")
///
/// Making one touches no file. The weights are loaded once for all sessions that use the same file with the same
/// options, at the first prewarm or request, and go with the last session; ``load()`` keeps them longer. A second turn
/// reads its new tokens only: `session.usage.input.cachedTokenCount` says how many were remembered.
public struct LocalLanguageModel: Sendable, Hashable {
    /// Where the file is.
    package enum Source: Sendable, Hashable {
        case file(URL)
        /// A name of the catalogue, or a path, looked up when the model is loaded.
        case named(String)
    }

    package let source: Source

    /// What the framework's options have no word for.
    public var options: LocalLanguageModel.Options

    /// The model in a file.
    public init(at url: URL, options: LocalLanguageModel.Options = Options()) {
        source = .file(url)
        self.options = options
    }

    /// A model of the store by its name (`smollm2`; `hearth list` shows them), or by a path.
    public init(named name: String, options: LocalLanguageModel.Options = Options()) {
        source = .named(name)
        self.options = options
    }

    /// The file, as things are now.
    /// - Throws: ``LocalLanguageModelError/modelNotFound(_:)``.
    package func file() throws -> URL {
        switch source {
        case .file(let url): return url
        case .named(let name):
            do {
                return try ModelStore.standard().file(for: name)
            } catch {
                throw ErrorMapper.error(for: error)
            }
        }
    }
}

extension LocalLanguageModel: LanguageModel {
    /// Plain text, whatever the file: this version obeys no schemas, calls no tools, tells reasoning from answers in no
    /// entry of its own and sees no images, so it declares none of that. Requests that need it are refused by name.
    public var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }

    /// The file and what cannot be changed without loading it again. Everything else travels with the model value.
    public var executorConfiguration: LocalLanguageModel.Executor.Configuration {
        Executor.Configuration(source: source, layout: options.layout)
    }
}

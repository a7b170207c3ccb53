import HearthInference

extension LocalLanguageModel {
    /// Loads the weights now, and keeps them for as long as the result is held.
    ///
    /// Sessions of the same file and options share them, whether they are made before or after.
    /// - Throws: ``LocalLanguageModelError``, `CancellationError`.
    public nonisolated(nonsending) func load() async throws -> LoadedModel {
        do {
            return LoadedModel(try await LocalEngine.load(file: file(), options: options.layout))
        } catch {
            throw ErrorMapper.error(for: error)
        }
    }
}

/// Weights in memory. They stay there while this is held.
public struct LoadedModel: Sendable {
    package let engine: LocalEngine

    init(_ engine: LocalEngine) {
        self.engine = engine
    }

    /// What responses of the model are said to come from: the file's name without its ending.
    public var modelID: String { engine.facts.modelID }

    /// Most tokens of a conversation, the answer included.
    public var contextLength: Int { engine.context }

    /// Tensors that were brought into the type of ``LocalLanguageModel/Options/quantization``: 0 where none was asked for, and
    /// where the file keeps no weights as floats that could be.
    public var quantizedTensorCount: Int { engine.generator.weights.quantised }

    /// How long loading took.
    public var loadTime: Duration { engine.loadTime }
}

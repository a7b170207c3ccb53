public import Foundation

extension SystemLanguageModel {
    /// The model with an adapter. Adapters exist on Apple's platforms only, so none can be made to give here.
    public convenience init(
        adapter: SystemLanguageModel.Adapter, guardrails: SystemLanguageModel.Guardrails = .default
    ) {
        self.init(useCase: .general, guardrails: guardrails)
    }

    /// Weights trained for the system model. None can be made here: every initialiser throws.
    public struct Adapter {
        public init(fileURL: URL) throws {
            throw AssetError.invalidAsset(AssetError.notHere)
        }

        public init(name: String) throws {
            throw AssetError.compatibleAdapterNotFound(AssetError.notHere)
        }

        public var creatorDefinedMetadata: [String: Any] { [:] }

        @concurrent public func compile() async throws {
            throw AssetError.invalidAsset(AssetError.notHere)
        }

        /// None.
        public static func compatibleAdapterIdentifiers(name: String) -> [String] { [] }

        /// There are none to remove.
        public static func removeObsoleteAdapters() throws {}

        public enum AssetError: Swift.Error, LocalizedError {
            case invalidAsset(SystemLanguageModel.Adapter.AssetError.Context)
            case invalidAdapterName(SystemLanguageModel.Adapter.AssetError.Context)
            case compatibleAdapterNotFound(SystemLanguageModel.Adapter.AssetError.Context)

            public var errorDescription: String? {
                switch self {
                case .invalidAsset(let context), .invalidAdapterName(let context),
                    .compatibleAdapterNotFound(let context):
                    context.debugDescription
                }
            }

            public var recoverySuggestion: String? {
                "Use a model whose weights are for this machine, such as LocalLanguageModel(at:)."
            }

            public struct Context: Sendable {
                public let debugDescription: String

                public init(debugDescription: String) {
                    self.debugDescription = debugDescription
                }
            }

            fileprivate static let notHere = Context(
                debugDescription: "Adapters of the system language model exist on Apple's platforms only.")
        }
    }
}

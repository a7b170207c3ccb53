public import Foundation
public import Observation

/// Apple's model on the device. There is none outside Apple's platforms: here it says that it is unavailable, and
/// requests end with ``Error/assetsUnavailable(_:)``.
public final class SystemLanguageModel: Sendable, Observable {
    public static var `default`: SystemLanguageModel { SystemLanguageModel() }

    let useCase: SystemLanguageModel.UseCase
    let guardrails: SystemLanguageModel.Guardrails

    public convenience init(
        useCase: SystemLanguageModel.UseCase = .general,
        guardrails: SystemLanguageModel.Guardrails = Guardrails.default
    ) {
        self.init(for: useCase, with: guardrails)
    }

    private init(for useCase: UseCase, with guardrails: Guardrails) {
        self.useCase = useCase
        self.guardrails = guardrails
    }

    /// Always unavailable: this device is not eligible.
    public var availability: SystemLanguageModel.Availability { .unavailable(.deviceNotEligible) }

    public var isAvailable: Bool { availability == .available }

    /// None.
    public var supportedLanguages: Set<Locale.Language> { [] }

    public func supportsLocale(_ locale: Locale = Locale.current) -> Bool { false }

    /// The context of the model on Apple's devices, in tokens.
    public var contextSize: Int { 4096 }

    public var variant: SystemLanguageModel.Variant { .core3 }

    public struct UseCase: Sendable, Equatable {
        private let name: String

        public static let general = UseCase(name: "general")
        public static let contentTagging = UseCase(name: "contentTagging")
    }

    public struct Guardrails: Sendable {
        private let name: String

        public static let `default` = Guardrails(name: "default")
        public static let permissiveContentTransformations = Guardrails(name: "permissiveContentTransformations")
    }

    @frozen public enum Availability: Equatable, Sendable {
        case available
        case unavailable(SystemLanguageModel.Availability.UnavailableReason)

        public enum UnavailableReason: Equatable, Hashable, Sendable {
            case deviceNotEligible
            case appleIntelligenceNotEnabled
            case modelNotReady
        }
    }

    public struct Variant: Sendable, Hashable {
        public let displayName: String

        public static var core3: SystemLanguageModel.Variant { Variant(displayName: "Core 3") }
        public static var coreAdvanced3: SystemLanguageModel.Variant { Variant(displayName: "Core Advanced 3") }
    }

    public enum Error: LocalizedError, CustomDebugStringConvertible {
        case assetsUnavailable(SystemLanguageModel.Error.AssetsUnavailable)

        public struct AssetsUnavailable: Sendable {
            public var debugDescription: String

            public init(debugDescription: String) {
                self.debugDescription = debugDescription
            }
        }

        public var errorDescription: String? { debugDescription }

        public var debugDescription: String {
            switch self {
            case .assetsUnavailable(let payload): payload.debugDescription
            }
        }

        static var notOnThisPlatform: Error {
            .assetsUnavailable(
                AssetsUnavailable(
                    debugDescription: "The system language model exists on Apple's platforms only. "
                        + "Give the session another model, such as LocalLanguageModel(named:)."))
        }
    }
}

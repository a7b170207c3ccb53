public import Foundation
public import Observation

/// Apple's model in its private cloud. It can be reached from Apple's devices only: here it says that it is
/// unavailable, and requests end with ``Error/serviceUnavailable(_:)``.
public final class PrivateCloudComputeLanguageModel: Sendable, Observable {
    public convenience init() {
        self.init(unavailable: ())
    }

    private init(unavailable: ()) {}

    /// Always unavailable: this device is not eligible.
    public var availability: PrivateCloudComputeLanguageModel.Availability { .unavailable(.deviceNotEligible) }

    public var isAvailable: Bool { availability == .available }

    /// Below the limit: nothing can be used.
    public var quotaUsage: PrivateCloudComputeLanguageModel.QuotaUsage {
        QuotaUsage(status: .belowLimit(.init(isApproachingLimit: false)), limitIncreaseSuggestion: nil, resetDate: nil)
    }

    public nonisolated(nonsending) var contextSize: Int {
        get async throws { throw Error.notOnThisPlatform }
    }

    public nonisolated(nonsending) var supportedLanguages: Set<Locale.Language> {
        get async throws { throw Error.notOnThisPlatform }
    }

    public nonisolated(nonsending) func supportsLocale(_ locale: Locale = Locale.current) async throws -> Bool {
        throw Error.notOnThisPlatform
    }

    @frozen public enum Availability: Equatable, Sendable {
        case available
        case unavailable(PrivateCloudComputeLanguageModel.Availability.UnavailableReason)

        public enum UnavailableReason: Equatable, Hashable, Sendable {
            case deviceNotEligible
            case systemNotReady
        }
    }
}

extension PrivateCloudComputeLanguageModel: LanguageModel {
    /// What Apple's model declares, so that a request gets as far as saying that the service is not there.
    public var capabilities: LanguageModelCapabilities {
        LanguageModelCapabilities([.vision, .toolCalling, .guidedGeneration, .reasoning])
    }

    public var executorConfiguration: PrivateCloudComputeLanguageModel.Executor.Configuration {
        Executor.Configuration()
    }

    public struct Executor: LanguageModelExecutor {
        public typealias Model = PrivateCloudComputeLanguageModel

        public struct Configuration: Hashable, Sendable {}

        public init(configuration: PrivateCloudComputeLanguageModel.Executor.Configuration) {}

        public func prewarm(model: PrivateCloudComputeLanguageModel.Executor.Model, transcript: Transcript) {}

        public nonisolated(nonsending) func respond(
            to request: LanguageModelExecutorGenerationRequest, model: PrivateCloudComputeLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            throw PrivateCloudComputeLanguageModel.Error.notOnThisPlatform
        }
    }
}

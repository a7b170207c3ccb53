public import Foundation

extension PrivateCloudComputeLanguageModel {
    public enum Error: Swift.Error, LocalizedError, CustomDebugStringConvertible {
        case networkFailure(PrivateCloudComputeLanguageModel.Error.NetworkFailure)
        case quotaLimitReached(PrivateCloudComputeLanguageModel.Error.QuotaLimitReached)
        case serviceUnavailable(PrivateCloudComputeLanguageModel.Error.ServiceUnavailable)

        public var errorDescription: String? { debugDescription }

        public var debugDescription: String {
            switch self {
            case .networkFailure(let payload): payload.debugDescription
            case .quotaLimitReached(let payload): payload.debugDescription
            case .serviceUnavailable(let payload): payload.debugDescription
            }
        }

        public struct NetworkFailure: Sendable {
            public var debugDescription: String

            public init(debugDescription: String) {
                self.debugDescription = debugDescription
            }
        }

        public struct QuotaLimitReached: Sendable {
            public var limitIncreaseSuggestion: PrivateCloudComputeLanguageModel.QuotaUsage.LimitIncreaseSuggestion?
            public var resetDate: Date?
            public var debugDescription: String

            public init(
                limitIncreaseSuggestion: PrivateCloudComputeLanguageModel.QuotaUsage.LimitIncreaseSuggestion? = nil,
                resetDate: Date? = nil, debugDescription: String
            ) {
                self.limitIncreaseSuggestion = limitIncreaseSuggestion
                self.resetDate = resetDate
                self.debugDescription = debugDescription
            }
        }

        public struct ServiceUnavailable: Sendable {
            public var debugDescription: String

            public init(debugDescription: String) {
                self.debugDescription = debugDescription
            }
        }

        static var notOnThisPlatform: Error {
            .serviceUnavailable(
                ServiceUnavailable(
                    debugDescription: "Private Cloud Compute can be reached from Apple's devices only. "
                        + "Give the session another model, such as LocalLanguageModel(named:)."))
        }
    }

    /// How much of the quota is used.
    public struct QuotaUsage: Sendable {
        public var status: PrivateCloudComputeLanguageModel.QuotaUsage.Status
        public var limitIncreaseSuggestion: PrivateCloudComputeLanguageModel.QuotaUsage.LimitIncreaseSuggestion?
        public var resetDate: Date?

        public var isLimitReached: Bool {
            if case .limitReached = status { true } else { false }
        }

        public enum Status: Sendable {
            case belowLimit(PrivateCloudComputeLanguageModel.QuotaUsage.Status.BelowLimit)
            case limitReached(PrivateCloudComputeLanguageModel.QuotaUsage.Status.LimitReached)

            public struct BelowLimit: Sendable {
                public var isApproachingLimit: Bool
            }

            public struct LimitReached: Sendable {}
        }

        /// A way to a larger quota, which the system shows on Apple's devices.
        public struct LimitIncreaseSuggestion: Sendable {
            /// There is nothing to show here.
            public func show() {}
        }
    }
}

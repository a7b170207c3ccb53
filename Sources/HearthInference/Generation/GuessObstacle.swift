import HearthKernelTypes
import HearthKernels

/// Why no tokens are guessed though guesses were asked for. The reply is the same; it is no sooner.
package enum GuessObstacle: Sendable, Hashable {
    /// Tokens are drawn: only the choice without chance can be foreseen.
    case drawn(temperature: Float)
    /// What comes next depends on what came last, which a guess would be part of.
    case penalties
    case constraint
    /// A BLAS gives other bits to many tokens than to one.
    case blas
    /// A state that a wrong guess cannot be taken out of: short convolutions.
    case state

    init?(_ chain: SamplingChain, isConstrained: Bool, backend: Backend, goesBack: Bool) {
        if !chain.isGreedy {
            self = .drawn(temperature: chain.temperature)
        } else if chain.hasPenalties {
            self = .penalties
        } else if isConstrained {
            self = .constraint
        } else if backend == .blas {
            self = .blas
        } else if !goesBack {
            self = .state
        } else {
            return nil
        }
    }
}

extension LanguageWeights {
    /// What keeps guesses from being made for a reply that is sampled so; nil where they are made.
    /// - Throws: `InferenceError.badOption`.
    package func obstacleToGuesses(
        _ sampling: SamplingOptions, isConstrained: Bool = false
    ) throws(InferenceError) -> GuessObstacle? {
        GuessObstacle(
            try sampling.resolved(over: samplingDefaults), isConstrained: isConstrained, backend: compute.backend,
            goesBack: goesBack)
    }

    /// Whether a sequence can forget any number of its last tokens.
    var goesBack: Bool { model.shape.convolutions == nil }
}

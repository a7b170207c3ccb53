package import HearthKernelTypes

/// What `HEARTH_AVX512` in the environment says: for measuring, and for trying what processors without AVX-512 do.
package enum AVX512Wish: Sendable, Hashable {
    /// Nothing, or `1`: as the processor is.
    case none
    /// `0`: without.
    case without
    /// Another word, which changes nothing; `hearth doctor` says so.
    case unknown(String)

    package init(_ word: String?) {
        switch word {
        case nil, "", "1": self = .none
        case "0": self = .without
        case let word?: self = .unknown(word)
        }
    }

    /// Why AVX-512 is used, or is not.
    /// - Parameter isUsed: whether the kernels that were chosen use it.
    package func reason(set: KernelSet, isUsed: Bool) -> String {
        let plain =
            isUsed
            ? "the processor has it"
            : self == .without
                ? "HEARTH_AVX512 is 0"
                : set == .avx2 ? "the processor lacks it, or a part of it" : "the \(set.rawValue) kernels do without"
        guard case .unknown(let word) = self else { return plain }
        return plain + "; HEARTH_AVX512 is `\(word)`, which is no word for it and changes nothing: 0 does without AVX-512, 1 or "
            + "nothing uses it where the processor has it"
    }
}

import Foundation

/// The times of one measurement, and the figures that llama-bench makes of them.
package struct Samples: Sendable, Equatable {
    /// Tokens that the engine evaluated in each repetition, by its own count.
    package let tokens: Int
    package let nanoseconds: [Int64]

    package init(tokens: Int, nanoseconds: [Int64]) {
        self.tokens = tokens
        self.nanoseconds = nanoseconds
    }

    /// Tokens a second of each repetition; nil where there is no speed to tell: fewer than two tokens say nothing about
    /// a rate, and no time makes it infinite.
    package var speeds: [Double]? {
        guard tokens >= 2, !nanoseconds.isEmpty, nanoseconds.allSatisfy({ $0 > 0 }) else { return nil }
        return nanoseconds.map { Double(tokens) * 1e9 / Double($0) }
    }

    package var meanNanoseconds: Double { Samples.mean(nanoseconds.map(Double.init)) }
    package var deviationNanoseconds: Double { Samples.deviation(nanoseconds.map(Double.init)) }
    package var meanSpeed: Double? { speeds.map(Samples.mean) }
    package var deviationOfSpeed: Double? { speeds.map(Samples.deviation) }

    package var medianNanoseconds: Double? { nanoseconds.isEmpty ? nil : Samples.median(nanoseconds.map(Double.init)) }
    package var medianSpeed: Double? { speeds.map(Samples.median) }

    static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    /// The middle value, or the mean of the two in the middle; not a number where there is none.
    package static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// Standard deviation of a sample: divided by one less than the count; 0 for a single value, as llama-bench has it.
    static func deviation(_ values: [Double]) -> Double {
        guard values.count > 1 else { return 0 }
        let mean = mean(values)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
    }
}

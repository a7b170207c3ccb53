import Foundation

/// Whether two samples come from the same distribution, by ranks alone: the test of Wilcoxon (1945), and Mann and Whitney
/// (1947). It assumes nothing about how times are spread, and one run that was disturbed moves it by one rank only.
package enum RankTest {
    /// Values up to which the distribution is counted out; beyond, the normal curve is nearer than anything that matters.
    private static let counted = 60

    /// Chance that ranks lie as far apart as these or farther, in either direction, where there is no difference.
    package static func p(_ a: [Double], _ b: [Double]) -> Double {
        guard !a.isEmpty, !b.isEmpty else { return 1 }
        let ranks = doubledRanks(a + b)
        let sum = ranks.prefix(a.count).reduce(0, +)
        return a.count + b.count <= counted
            ? exact(ranks, count: a.count, sum: sum) : normal(ranks, count: a.count, sum: sum)
    }

    /// The smallest chance that samples of these sizes can give: each value of one below each of the other.
    package static func smallest(_ a: Int, _ b: Int) -> Double {
        // 2 / binomial(a + b, a)
        var ways = 1.0
        for index in 0..<min(a, b) { ways *= Double(a + b - index) / Double(index + 1) }
        return min(1, 2 / ways)
    }

    /// Twice the rank of each value, from 2; equal values share the mean of their ranks, which twice is a whole number.
    private static func doubledRanks(_ values: [Double]) -> [Int] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Int](repeating: 0, count: values.count)
        var first = 0
        while first < order.count {
            var last = first
            while last + 1 < order.count, values[order[last + 1]] == values[order[first]] { last += 1 }
            for place in first...last { ranks[order[place]] = first + last + 2 }
            first = last + 1
        }
        return ranks
    }

    /// Of all ways to choose `count` of the ranks, the share whose sum is as far out, twice that of the nearer end.
    private static func exact(_ ranks: [Int], count: Int, sum: Int) -> Double {
        let total = ranks.reduce(0, +)
        // ways[k][s]: how many choices of k ranks have the sum s.
        var ways = [[Double]](repeating: [Double](repeating: 0, count: total + 1), count: count + 1)
        ways[0][0] = 1
        for rank in ranks {
            for chosen in stride(from: count, through: 1, by: -1) {
                for s in stride(from: total, through: rank, by: -1) { ways[chosen][s] += ways[chosen - 1][s - rank] }
            }
        }
        let all = ways[count].reduce(0, +)
        let below = ways[count][...sum].reduce(0, +) / all
        let above = ways[count][sum...].reduce(0, +) / all
        return min(1, 2 * min(below, above))
    }

    /// The normal curve of the same mean and variance, ties counted, half a rank towards the middle.
    private static func normal(_ ranks: [Int], count: Int, sum: Int) -> Double {
        let n = Double(ranks.count)
        let (a, b) = (Double(count), n - Double(count))
        let mean = a * (n + 1) / 2
        let spread = ranks.reduce(0.0) { $0 + (Double($1) / 2 - (n + 1) / 2) * (Double($1) / 2 - (n + 1) / 2) }
        let variance = a * b / (n * (n - 1)) * spread
        guard variance > 0 else { return 1 }
        return erfc(max(0, abs(Double(sum) / 2 - mean) - 0.5) / (2 * variance).squareRoot())
    }
}

package import HearthJSON

/// Rows of this run beside those of an earlier one.
///
/// The verdict comes from the times of both runs' repetitions by ranks (`RankTest`): `faster` or `slower` where ranks as far
/// apart as these would come by chance in fewer than 1 of 20 cases, `no difference` otherwise, `too few runs` where no ranks
/// could be so far apart. A file cannot be measured in turn with us: what the machine did between the two runs is in the
/// verdict too, so a difference of a few per cent means something only where the machine was as quiet both times.
package struct Comparison: Sendable {
    /// A chance below this is a difference.
    static let level = 0.05

    package enum Verdict: String, Sendable {
        case faster, slower
        case noDifference = "no difference"
        case tooFewRuns = "too few runs"
        case onlyHere = "only in this run"
        case onlyThere = "only in the old one"
        case notMeasured = "not measured"
    }

    package struct Row: Sendable {
        /// The new run's row, or the old one's where there is no other.
        package let row: JSON
        package let verdict: Verdict
        /// Old median time over new median time: above 1 is faster.
        package let speedup: Double?
        package let p: Double?
        package let oldMedian: Double?
    }

    package let rows: [Row]

    package init(new: [JSON], old: [JSON]) {
        var left = old.map { (key: RowReader($0).key, row: $0) }
        var rows: [Row] = []
        for row in new {
            let reader = RowReader(row)
            // Rows that are alike are taken in their order.
            guard
                let place = left.firstIndex(where: { $0.key == reader.key })
                    ?? left.firstIndex(where: { $0.key == reader.olderKey })
            else {
                rows.append(Row(row: row, verdict: .onlyHere, speedup: nil, p: nil, oldMedian: nil))
                continue
            }
            rows.append(Comparison.judged(row, left.remove(at: place).row))
        }
        for (_, row) in left { rows.append(Row(row: row, verdict: .onlyThere, speedup: nil, p: nil, oldMedian: nil)) }
        self.rows = rows
    }

    private static func judged(_ new: JSON, _ old: JSON) -> Row {
        let (times, before) = (RowReader(new).numbers("samples_ns"), RowReader(old).numbers("samples_ns"))
        guard !times.isEmpty, !before.isEmpty, (times + before).allSatisfy({ $0 > 0 }) else {
            return Row(row: new, verdict: .notMeasured, speedup: nil, p: nil, oldMedian: nil)
        }
        let median = Samples.median(before)
        let speedup = median / Samples.median(times)
        let p = RankTest.p(times, before)
        let verdict: Verdict =
            RankTest.smallest(times.count, before.count) > level
            ? .tooFewRuns : p > level || speedup == 1 ? .noDifference : speedup > 1 ? .faster : .slower
        return Row(row: new, verdict: verdict, speedup: speedup, p: p, oldMedian: median)
    }

    /// The rows with their verdicts: `verdict`, `speedup`, `p_value`, `old_median_ns`.
    package var json: [JSON] {
        rows.map { row in
            var object = row.row.objectValue ?? JSONObject()
            object["verdict"] = .string(row.verdict.rawValue)
            object["speedup"] = .finite(row.speedup)
            object["p_value"] = .finite(row.p)
            object["old_median_ns"] = .finite(row.oldMedian)
            return .object(object)
        }
    }

    /// Titles of rows that are slower, beyond chance, by more than `percent` of the old speed.
    package func slower(thanBy percent: Double) -> [String] {
        rows.filter { $0.verdict == .slower && $0.speedup! < 1 - percent / 100 }.map {
            "\(RowReader($0.row).title) at \(Figures.decimals($0.speedup! * 100, 1)) % of its speed before"
        }
    }

    /// Whether any row was found to be faster, slower or neither.
    package var hasJudged: Bool { rows.contains { [.faster, .slower, .noDifference].contains($0.verdict) } }

    /// The words of the verdicts that occur.
    package var verdicts: [String] {
        rows.reduce(into: []) { words, row in
            if !words.contains(row.verdict.rawValue) { words.append(row.verdict.rawValue) }
        }
    }

    package static let note = """

        Verdicts compare the times of both runs' repetitions by ranks (Mann and Whitney, p < 0.05, two-sided). The old run was not
        taken in turn with this one: what the machine did in between is part of the difference.

        """
}

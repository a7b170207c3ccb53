/// The tokens of one round: totals that entries reported, and counts credited by deltas since.
///
/// Reported totals replace what the same entry reported before and all credits so far. When several entries report,
/// the round's prompt was read once (the largest input holds) and each wrote its own output (outputs add up).
struct UsageLedger: Sendable {
    private var reported: [(entry: Int, usage: LanguageModelExecutorGenerationChannel.Usage)] = []
    private var credited = LanguageModelSession.Usage.Output(totalTokenCount: 0, reasoningTokenCount: 0)

    mutating func credit(_ count: Int, reasoning: Bool = false) {
        credited.totalTokenCount += count
        if reasoning { credited.reasoningTokenCount += count }
    }

    mutating func report(_ usage: LanguageModelExecutorGenerationChannel.Usage, entry: Int) {
        credited = .init(totalTokenCount: 0, reasoningTokenCount: 0)
        reported.removeAll { $0.entry == entry }
        reported.append((entry, usage))
    }

    var total: LanguageModelSession.Usage {
        var total = LanguageModelSession.Usage.none
        total.output = credited
        for (_, usage) in reported {
            if usage.input.totalTokenCount > total.input.totalTokenCount {
                total.input = .init(
                    totalTokenCount: usage.input.totalTokenCount, cachedTokenCount: usage.input.cachedTokenCount)
            }
            total.output.totalTokenCount += usage.output.totalTokenCount
            total.output.reasoningTokenCount += usage.output.reasoningTokenCount
            total.metadata.merge(usage.metadata) { _, new in new }
        }
        return total
    }
}

import FoundationModels
import HearthJSON

/// Totals only grow, and parts are no larger than their totals.
struct UsageAudit: Sendable {
    private var last: [String: LanguageModelExecutorGenerationChannel.Usage] = [:]
    /// Tokens of the events since the last report.
    private var sinceReport = 0
    private(set) var hasReasoning = false

    mutating func add(_ tokens: Int) { sinceReport += tokens }

    mutating func take(_ usage: LanguageModelExecutorGenerationChannel.Usage, entry: String) -> [Fault] {
        var faults: [Fault] = []
        if usage.output.reasoningTokenCount > 0 { hasReasoning = true }
        if let last = last[entry] {
            let pairs = [
                ("input", last.input.totalTokenCount, usage.input.totalTokenCount),
                ("cached input", last.input.cachedTokenCount, usage.input.cachedTokenCount),
                ("output", last.output.totalTokenCount, usage.output.totalTokenCount),
                ("reasoning", last.output.reasoningTokenCount, usage.output.reasoningTokenCount),
            ]
            for (field, old, new) in pairs where new < old {
                faults.append(.usageFell(field: field, from: old, to: new))
            }
            if sinceReport > 0, last.output.totalTokenCount > 0,
                usage.output.totalTokenCount == last.output.totalTokenCount
            {
                faults.append(.usageStood(output: usage.output.totalTokenCount, deltas: sinceReport))
            }
        }
        if usage.input.cachedTokenCount > usage.input.totalTokenCount {
            faults.append(
                .usageAboveTotal(
                    part: "cached", value: usage.input.cachedTokenCount, total: usage.input.totalTokenCount))
        }
        if usage.output.reasoningTokenCount > usage.output.totalTokenCount {
            faults.append(
                .usageAboveTotal(
                    part: "reasoning", value: usage.output.reasoningTokenCount, total: usage.output.totalTokenCount))
        }
        last[entry] = usage
        sinceReport = 0
        return faults
    }
}

/// Calls have names, their metadata first, and arguments that only grow.
struct CallAudit: Sendable {
    private struct Call: Sendable {
        let id: String
        var name: String
        var arguments = ""
        var hasArguments = false
        var hasMetadata = false
        var isRemoved = false
        /// Whether the arguments are a whole JSON value.
        var isWhole = false
    }

    /// A repeat of fewer bytes may be chance.
    private static let shortestRepeat = 8

    var known: [String]?
    private var calls: [Call] = []

    /// The place of a call; made when it is new.
    private mutating func place(_ id: String, _ name: String, _ faults: inout [Fault]) -> Int {
        if name.isEmpty { faults.append(.callUnnamed(id: id)) }
        if let place = calls.firstIndex(where: { $0.id == id }) {
            if calls[place].isRemoved { faults.append(.callChangedAfterRemoval(id: id)) }
            if !name.isEmpty, name != calls[place].name {
                faults.append(.callRenamed(id: id, from: calls[place].name, to: name))
            }
            return place
        }
        if let known, !name.isEmpty, !known.contains(name) { faults.append(.callUnknown(name: name, known: known)) }
        calls.append(Call(id: id, name: name))
        return calls.count - 1
    }

    mutating func append(_ text: String, id: String, name: String) -> [Fault] {
        var faults: [Fault] = []
        let place = place(id, name, &faults)
        calls[place].hasArguments = true
        guard !text.isEmpty else { return faults }
        let sent = calls[place].arguments
        if sent.utf8.count >= Self.shortestRepeat, text.utf8.starts(with: sent.utf8) {
            faults.append(.argumentsRepeated(id: id))
        } else if calls[place].isWhole, text.utf8.contains(where: { $0 > 0x20 }) {
            faults.append(.argumentsAfterEnd(id: id))
        }
        calls[place].arguments += text
        calls[place].isWhole = Self.isWhole(calls[place].arguments)
        return faults
    }

    private static func isWhole(_ text: String) -> Bool {
        do {
            _ = try JSON.parse(text)
            return true
        } catch {
            return false
        }
    }

    mutating func describe(id: String, name: String) -> [Fault] {
        var faults: [Fault] = []
        let place = place(id, name, &faults)
        if calls[place].hasArguments, !calls[place].hasMetadata { faults.append(.callMetadataLate(id: id)) }
        calls[place].hasMetadata = true
        return faults
    }

    mutating func remove(id: String) -> [Fault] {
        guard let place = calls.firstIndex(where: { $0.id == id && !$0.isRemoved }) else {
            return [.callRemovedUnopened(id: id)]
        }
        calls[place].isRemoved = true
        return []
    }

    func finish() -> [Fault] {
        calls.compactMap { call in
            guard !call.isRemoved, !call.arguments.isEmpty, !call.isWhole else { return nil }
            return .argumentsUnfinished(id: call.id, text: call.arguments)
        }
    }

    var made: [(name: String, arguments: String)] {
        calls.filter { !$0.isRemoved }.map { ($0.name, $0.arguments.isEmpty ? "{}" : $0.arguments) }
    }
}

/// Text only grows, unless a segment is replaced by its id.
struct TextAudit: Sendable {
    private struct Segment: Sendable {
        let entry: String
        let id: String?
        var text: String
    }

    /// A repeat of fewer bytes may be chance ("no no").
    private static let shortestRepeat = 12

    private var segments: [Segment] = []

    private func place(_ segment: String?, _ entry: String) -> Int? {
        segments.lastIndex { $0.entry == entry && (segment == nil || $0.id == segment) }
    }

    mutating func append(_ text: String, segment: String?, entry: String) -> [Fault] {
        var faults: [Fault] = []
        if text.utf8.contains(8) { faults.append(.textErased) }
        guard let place = place(segment, entry) else {
            segments.append(Segment(entry: entry, id: segment, text: text))
            return faults
        }
        let sent = segments[place].text
        if sent.utf8.count >= Self.shortestRepeat, text.utf8.starts(with: sent.utf8) {
            faults.append(.textRepeated(segment: segment))
        }
        segments[place].text += text
        return faults
    }

    mutating func replace(_ text: String, segment: String?, entry: String) -> [Fault] {
        guard let place = place(segment, entry) else {
            segments.append(Segment(entry: entry, id: segment, text: text))
            return segment.map { [.replacedUnknownSegment(id: $0)] } ?? []
        }
        segments[place].text = text
        return []
    }

    var answer: String {
        segments.filter { $0.entry.hasPrefix("response ") }.map(\.text).joined()
    }
}

/// One way of naming reasoning entries, and no thought in two of them.
struct ReasoningAudit: Sendable {
    private var named = false
    private var unnamed = false
    private var isInterrupted = false
    private var hasTold = false
    var isUsed: Bool { named || unnamed }

    mutating func take(id: String?) -> [Fault] {
        defer { isInterrupted = false }
        if id == nil { unnamed = true } else { named = true }
        if named, unnamed, !hasTold {
            hasTold = true
            return [.reasoningMixed]
        }
        if id == nil, isInterrupted { return [.reasoningSplit] }
        return []
    }

    mutating func takeOther() {
        isInterrupted = isUsed
    }
}

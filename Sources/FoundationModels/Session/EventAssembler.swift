import Foundation

/// Makes transcript entries of the events of one request, over all rounds of the tool loop.
///
/// An event's entry id chooses the entry; an id not seen before begins one at the end. Without an id, the entry of the
/// event before is continued when that was of the same kind. The same id under two kinds names two entries.
struct EventAssembler: Sendable {
    typealias Channel = LanguageModelExecutorGenerationChannel

    private enum Item: Sendable {
        case response(AssembledText)
        case reasoning(AssembledText)
        case toolCalls(AssembledCalls)
        case data(Transcript.DataEntry)
        /// Finished: a tool's output, or a response that became a structure.
        case settled(Transcript.Entry)
    }

    private enum Kind: Hashable, Sendable {
        case response, reasoning, toolCalls, data
    }

    private struct Key: Hashable, Sendable {
        let kind: Kind
        let id: String
    }

    private var items: [Item] = []
    private var places: [Key: Int] = [:]
    private var previous: Key?
    private var ledger = UsageLedger()
    /// The first entry of the present round.
    private var roundStart = 0
    /// Tokens of the rounds before.
    private var earlierUsage = LanguageModelSession.Usage.none
    /// Whether a response changed since this was last asked.
    private var isDirty = false
    private(set) var hasResponse = false

    /// Takes an event in.
    /// - Returns: whether a snapshot is due: a response changed, and by more than text that counts no token.
    mutating func consume(_ event: Channel.Event) -> Bool {
        switch event.kind {
        case .response(let response): return consume(response)
        case .reasoning(let reasoning): consume(reasoning)
        case .toolCalls(let calls): consume(calls)
        case .data(let data): consume(data)
        }
        return false
    }

    private mutating func consume(_ event: Channel.Response) -> Bool {
        let place = place(.response, event.entryID) { .response(AssembledText(id: $0)) }
        guard case .response(var entry) = items[place] else { return false }
        // Taken out while it changes, so that its text grows in place.
        items[place] = .response(AssembledText(id: entry.id))
        defer { items[place] = .response(entry) }
        isDirty = true
        switch event.action.storage {
        case .appendText(let fragment):
            hasResponse = true
            entry.append(fragment.content, segmentID: fragment.segmentID)
            ledger.credit(fragment.tokenCount)
            return fragment.tokenCount > 0
        case .replaceText(let replacement):
            hasResponse = true
            entry.replace(replacement.content, segmentID: replacement.segmentID)
            ledger.credit(replacement.tokenCount)
            return replacement.tokenCount > 0
        case .addAttachment(let segment):
            hasResponse = true
            entry.segments.append(.attachment(segment))
            return true
        case .removeAttachment(let id):
            entry.removeAttachment(id: id)
            return true
        case .updateCustomSegment(let segment):
            hasResponse = true
            entry.update(segment)
            return true
        case .updateMetadata(let metadata):
            entry.metadata = metadata.values
        case .updateUsage(let usage):
            ledger.report(usage, entry: place)
        }
        return false
    }

    private mutating func consume(_ event: Channel.Reasoning) {
        let place = place(.reasoning, event.entryID) { .reasoning(AssembledText(id: $0)) }
        guard case .reasoning(var entry) = items[place] else { return }
        items[place] = .reasoning(AssembledText(id: entry.id))
        defer { items[place] = .reasoning(entry) }
        switch event.action.storage {
        case .appendText(let fragment):
            entry.append(fragment.content, segmentID: fragment.segmentID)
            ledger.credit(fragment.tokenCount, reasoning: true)
        case .replaceText(let replacement):
            entry.replace(replacement.content, segmentID: replacement.segmentID)
            ledger.credit(replacement.tokenCount, reasoning: true)
        case .updateSignature(let signature):
            entry.signature = signature.signature
            ledger.credit(signature.tokenCount, reasoning: true)
        case .updateMetadata(let metadata):
            entry.metadata = metadata.values
        case .updateUsage(let usage):
            ledger.report(usage, entry: place)
        }
    }

    private mutating func consume(_ event: Channel.ToolCalls) {
        let place = place(.toolCalls, event.entryID) { .toolCalls(AssembledCalls(id: $0)) }
        guard case .toolCalls(var entry) = items[place] else { return }
        defer { items[place] = .toolCalls(entry) }
        switch event.action.storage {
        case .toolCall(let call):
            entry.withCall(call.id, name: call.name) { assembled in
                switch call.action.storage {
                case .appendArguments(let fragment):
                    assembled.argumentText += fragment.content
                    ledger.credit(fragment.tokenCount)
                case .updateMetadata(let metadata):
                    assembled.metadata = metadata.values
                }
            }
        case .removeToolCall(let id):
            entry.calls.removeAll { $0.id == id && !$0.isRun }
        case .updateMetadata(let metadata):
            entry.metadata = metadata.values
        case .updateUsage(let usage):
            ledger.report(usage, entry: place)
        }
    }

    private mutating func consume(_ event: Channel.DataEntry) {
        let update = event.action.update
        // Without an id every update is an entry of its own.
        let id = event.entryID ?? UUID().uuidString
        let entry = Transcript.DataEntry(
            id: id, contentType: update.contentType, content: update.content, metadata: update.metadata)
        let place = place(.data, id) { _ in .data(entry) }
        items[place] = .data(entry)
    }

    /// The place of an entry, which is made when there is none.
    private mutating func place(_ kind: Kind, _ id: String?, make: (String) -> Item) -> Int {
        let key: Key
        if let id {
            key = Key(kind: kind, id: id)
        } else if let previous, previous.kind == kind {
            key = previous
        } else {
            key = Key(kind: kind, id: UUID().uuidString)
        }
        previous = key
        if let place = places[key] { return place }
        places[key] = items.count
        items.append(make(key.id))
        return items.count - 1
    }
}

// MARK: - What came of the events

extension EventAssembler {
    /// The entries so far, in the order in which they began. An entry whose calls were all taken back is left out.
    var entries: [Transcript.Entry] { entries(of: items[...]) }

    /// Those that began in the present round.
    var entriesOfRound: [Transcript.Entry] { entries(of: items[roundStart...]) }

    private func entries(of items: ArraySlice<Item>) -> [Transcript.Entry] {
        items.compactMap { item in
            switch item {
            case .response(let entry): entry.response
            case .reasoning(let entry): entry.reasoning
            case .toolCalls(let entry): entry.calls.isEmpty ? nil : entry.entry
            case .data(let entry): .data(entry)
            case .settled(let entry): entry
            }
        }
    }

    /// Tokens of all rounds so far.
    var usage: LanguageModelSession.Usage { earlierUsage + ledger.total }

    /// The text of the response entries, of this round only when the answer has a schema.
    func text(ofThisRound isLimited: Bool) -> String {
        var text = ""
        for item in items[(isLimited ? roundStart : 0)...] {
            if case .response(let entry) = item { text += entry.text }
        }
        return text
    }

    /// Whether a response changed since the last call.
    mutating func takeChange() -> Bool {
        defer { isDirty = false }
        return isDirty
    }

    /// The calls that wait to be run, in the order in which they were begun.
    var pendingCalls: [AssembledCall] {
        var pending: [AssembledCall] = []
        for case .toolCalls(let entry) in items { pending += entry.calls.filter { !$0.isRun } }
        return pending
    }

    /// Takes the outputs of all pending calls and begins the next round.
    mutating func beginRound(after outputs: [Transcript.ToolOutput]) {
        for (index, item) in items.enumerated() {
            guard case .toolCalls(var entry) = item else { continue }
            for call in entry.calls.indices { entry.calls[call].isRun = true }
            items[index] = .toolCalls(entry)
        }
        items += outputs.map { .settled(.toolOutput($0)) }
        roundStart = items.count
        earlierUsage = earlierUsage + ledger.total
        ledger = UsageLedger()
        previous = nil
    }

    /// Turns this round's JSON text into one structured segment, which stands where the text began.
    mutating func settle(structure: GeneratedContent, schemaName: String) {
        var isPlaced = false
        for index in items.indices.dropFirst(roundStart) {
            guard case .response(var entry) = items[index] else { continue }
            var segments: [Transcript.Segment] = []
            for segment in entry.segments {
                guard case .text(let text) = segment else {
                    segments.append(segment)
                    continue
                }
                if isPlaced { continue }
                isPlaced = true
                segments.append(.structure(.init(id: text.id, schemaName: schemaName, content: structure)))
            }
            entry.segments = segments
            items[index] = .settled(entry.response)
        }
    }
}

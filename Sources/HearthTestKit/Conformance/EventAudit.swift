import Foundation
public import FoundationModels
import FoundationModelsExtras

/// Reads the events of one request, in order, and notes what is wrong with them.
///
///     var audit = EventAudit(enabledTools: ["weather"])
///     for event in sink.events { audit.take(event) }
///     #expect(audit.finish().isEmpty)
///
/// It looks at events alone; ``Conformance`` runs a model and looks at its answers too.
public struct EventAudit: Sendable {
    typealias Channel = LanguageModelExecutorGenerationChannel

    let tools: [String]
    let probe: String
    private(set) var findings: [Finding] = []
    private var count = 0
    private var kinds: [String: String] = [:]
    private let earlierIDs: Set<String>
    private var usage = UsageAudit()
    private var metadata: [String: Set<String>] = [:]
    private var calls = CallAudit()
    private var texts = TextAudit()
    private var attachments: Set<String> = []
    private var reasoning = ReasoningAudit()
    /// What was sent, to compare with what is declared.
    var usedReasoning: Bool { reasoning.isUsed || usage.hasReasoning }
    private(set) var hasAnswer = false

    /// - Parameters:
    ///   - enabledTools: the names of the tools that the request enables; nil where any name will do.
    ///   - transcript: what was sent, whose entry ids are taken.
    public init(enabledTools: [String]? = nil, transcript: Transcript = Transcript()) {
        self.init(enabledTools: enabledTools, transcript: transcript, probe: "")
    }

    init(enabledTools: [String]?, transcript: Transcript, probe: String) {
        tools = enabledTools ?? []
        calls.known = enabledTools
        earlierIDs = Set(transcript.map(\.id))
        self.probe = probe
    }

    /// Takes the next event in.
    public mutating func take(_ event: LanguageModelExecutorGenerationChannel.Event) {
        defer { count += 1 }
        var faults: [Fault] = []
        let kind = event.kind.name
        if let id = event.entryID {
            if let known = kinds[id], known != kind { faults.append(.entryKinds(id: id)) }
            if kinds[id] == nil, earlierIDs.contains(id) { faults.append(.entryOfTranscript(id: id)) }
            if kinds[id] == nil { kinds[id] = kind }
        }
        let entry = "\(kind) \(event.entryID ?? "")"
        switch event.kind {
        case .reasoning: faults += reasoning.take(id: event.entryID)
        case .response, .toolCalls, .data: reasoning.takeOther()
        }
        switch event.content {
        case .appendText(let fragment):
            usage.add(fragment.tokenCount)
            if kind == "response" { hasAnswer = true }
            faults += texts.append(fragment.content, segment: fragment.segmentID, entry: entry)
        case .replaceText(let replacement):
            usage.add(replacement.tokenCount)
            if kind == "response" { hasAnswer = true }
            faults += texts.replace(replacement.content, segment: replacement.segmentID, entry: entry)
        case .addAttachment(let segment):
            hasAnswer = true
            if !attachments.insert(segment.id).inserted { faults.append(.attachmentTwice(id: segment.id)) }
        case .removeAttachment(let id):
            if attachments.remove(id) == nil { faults.append(.attachmentRemovedUnknown(id: id)) }
        case .updateCustomSegment, .updateData: hasAnswer = true
        case .updateSignature(let signature):
            usage.add(signature.tokenCount)
            // What String(decoding:) makes of bytes that are not UTF-8.
            if signature.signature.range(of: Data([0xEF, 0xBF, 0xBD])) != nil {
                faults.append(.signatureReplacementCharacter)
            }
        case .appendArguments(let fragment, let id, let name):
            hasAnswer = true
            usage.add(fragment.tokenCount)
            faults += calls.append(fragment.content, id: id, name: name)
        case .updateCallMetadata(let values, let id, let name):
            faults += calls.describe(id: id, name: name)
            faults += lostKeys(values.values, of: "call \(id)")
        case .removeToolCall(let id): faults += calls.remove(id: id)
        case .updateMetadata(let values): faults += lostKeys(values.values, of: entry)
        case .updateUsage(let report): faults += usage.take(report, entry: entry)
        }
        note(faults, event: count)
    }

    /// Ends the request.
    public mutating func finish() -> [Finding] {
        note(calls.finish(), event: nil)
        return findings
    }

    mutating func note(_ faults: [Fault], event: Int? = nil) {
        findings += faults.map { Finding(pitfall: $0.pitfall, probe: probe, event: event, detail: $0.words) }
    }

    private mutating func lostKeys(_ values: [String: GeneratedContent], of entry: String) -> [Fault] {
        let new = Set(values.keys)
        let lost = (metadata[entry] ?? []).subtracting(new)
        metadata[entry] = new
        return lost.isEmpty ? [] : [.metadataKeysLost(lost.sorted())]
    }

    /// The calls that stand at the end, with their arguments.
    var callsMade: [(name: String, arguments: String)] { calls.made }
    /// The text of all response entries.
    var answer: String { texts.answer }
}

extension LanguageModelExecutorGenerationChannel.Event.Kind {
    var name: String {
        switch self {
        case .response: "response"
        case .reasoning: "reasoning"
        case .toolCalls: "toolCalls"
        case .data: "data"
        }
    }
}

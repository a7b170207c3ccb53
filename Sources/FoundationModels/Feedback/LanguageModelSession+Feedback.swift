public import Foundation
import HearthJSON
import HearthLocks

extension LanguageModelSession {
    /// The conversation and what the user thought of it, as JSON. Nothing is sent or written anywhere.
    ///
    /// Entries that cannot be written (a custom segment whose content cannot be encoded) are named under `omitted`.
    @discardableResult
    public func logFeedbackAttachment(
        sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
        desiredOutput: Transcript.Entry? = nil
    ) -> Data {
        let writer = TranscriptWriter()
        var omitted: [JSON] = []
        func written(_ entry: Transcript.Entry) -> JSON? {
            do {
                return try writer.entry(entry)
            } catch {
                omitted.append(["id": .string(entry.id), "reason": .string("\(error)")])
                return nil
            }
        }
        var json = JSONObject()
        json["type"] = "FoundationModels.Feedback"
        json["sentiment"] = sentiment.map { .string("\($0)") } ?? .null
        json["issues"] = .array(
            issues.map { issue in
                ["category": .string("\(issue.category)"), "explanation": issue.explanation.map(JSON.string) ?? .null]
            })
        json["transcript"] = .array(state.withLock { $0.transcript }.compactMap(written))
        if let desiredOutput { json["desiredOutput"] = written(desiredOutput) ?? .null }
        if !omitted.isEmpty { json["omitted"] = .array(omitted) }
        return Data(JSON.object(json).description(.compact).utf8)
    }

    /// As above, with the text that should have come.
    @discardableResult
    public func logFeedbackAttachment(
        sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
        desiredResponseText: String?
    ) -> Data {
        let entry = desiredResponseText.map { text in
            Transcript.Entry.response(.init(assetIDs: [], segments: [.text(.init(content: text))]))
        }
        return logFeedbackAttachment(sentiment: sentiment, issues: issues, desiredOutput: entry)
    }

    /// As above, with the value that should have come.
    @discardableResult
    public func logFeedbackAttachment(
        sentiment: LanguageModelFeedback.Sentiment?, issues: [LanguageModelFeedback.Issue] = [],
        desiredResponseContent: (any ConvertibleToGeneratedContent)?
    ) -> Data {
        let entry = desiredResponseContent.map { content in
            let segment = Transcript.StructuredSegment(
                schemaName: String(describing: type(of: content)), content: content.generatedContent)
            return Transcript.Entry.response(.init(assetIDs: [], segments: [.structure(segment)]))
        }
        return logFeedbackAttachment(sentiment: sentiment, issues: issues, desiredOutput: entry)
    }
}

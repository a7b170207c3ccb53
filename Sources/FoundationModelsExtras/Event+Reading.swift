public import FoundationModels

/// What an event does, to switch over. Apple's events cannot be read back; these can, for tests.
public enum EventContent: Sendable {
    case appendText(LanguageModelExecutorGenerationChannel.TextFragment)
    case replaceText(LanguageModelExecutorGenerationChannel.TextSegmentReplacement)
    case addAttachment(Transcript.AttachmentSegment)
    case removeAttachment(id: String)
    case updateCustomSegment(any Transcript.CustomSegment)
    case updateSignature(LanguageModelExecutorGenerationChannel.ReasoningSignature)
    case appendArguments(
        LanguageModelExecutorGenerationChannel.ToolCalls.ToolCall.ArgumentsFragment, id: String, name: String)
    case updateCallMetadata(LanguageModelExecutorGenerationChannel.Metadata, id: String, name: String)
    case removeToolCall(id: String)
    case updateMetadata(LanguageModelExecutorGenerationChannel.Metadata)
    case updateUsage(LanguageModelExecutorGenerationChannel.Usage)
    case updateData(LanguageModelExecutorGenerationChannel.DataEntry.Update)
}

extension LanguageModelExecutorGenerationChannel.Event {
    /// The entry that the event names.
    public var entryID: String? {
        switch kind {
        case .response(let response): response.entryID
        case .reasoning(let reasoning): reasoning.entryID
        case .toolCalls(let calls): calls.entryID
        case .data(let data): data.entryID
        }
    }

    /// What the event does to its entry.
    public var content: EventContent {
        switch kind {
        case .response(let response): response.action.content
        case .reasoning(let reasoning): reasoning.action.content
        case .toolCalls(let calls): calls.action.content
        case .data(let data): .updateData(data.action.update)
        }
    }
}

extension LanguageModelExecutorGenerationChannel.Response.Action {
    public var content: EventContent {
        switch storage {
        case .appendText(let fragment): .appendText(fragment)
        case .replaceText(let replacement): .replaceText(replacement)
        case .addAttachment(let segment): .addAttachment(segment)
        case .removeAttachment(let id): .removeAttachment(id: id)
        case .updateCustomSegment(let segment): .updateCustomSegment(segment)
        case .updateMetadata(let metadata): .updateMetadata(metadata)
        case .updateUsage(let usage): .updateUsage(usage)
        }
    }
}

extension LanguageModelExecutorGenerationChannel.Reasoning.Action {
    public var content: EventContent {
        switch storage {
        case .appendText(let fragment): .appendText(fragment)
        case .replaceText(let replacement): .replaceText(replacement)
        case .updateSignature(let signature): .updateSignature(signature)
        case .updateMetadata(let metadata): .updateMetadata(metadata)
        case .updateUsage(let usage): .updateUsage(usage)
        }
    }
}

extension LanguageModelExecutorGenerationChannel.ToolCalls.Action {
    public var content: EventContent {
        switch storage {
        case .toolCall(let call):
            switch call.action.storage {
            case .appendArguments(let fragment): .appendArguments(fragment, id: call.id, name: call.name)
            case .updateMetadata(let metadata): .updateCallMetadata(metadata, id: call.id, name: call.name)
            }
        case .removeToolCall(let id): .removeToolCall(id: id)
        case .updateMetadata(let metadata): .updateMetadata(metadata)
        case .updateUsage(let usage): .updateUsage(usage)
        }
    }
}

extension LanguageModelExecutorGenerationChannel.Response.Action {
    /// Adds a segment of a type of your own, or replaces the one with its id where it stands (betas of 27).
    public static func updateCustomSegment(
        _ segment: any Transcript.CustomSegment
    ) -> LanguageModelExecutorGenerationChannel.Response.Action {
        Self(.updateCustomSegment(segment))
    }

    /// Appends a text of one token, the spelling of the session notes.
    public static func appendText(
        _ text: String
    ) -> LanguageModelExecutorGenerationChannel.Response.Action {
        appendText(text, tokenCount: 1)
    }

    /// Removes the attachment segments that have this one's id.
    public static func removeAttachmentSegment(
        _ segment: Transcript.AttachmentSegment
    ) -> LanguageModelExecutorGenerationChannel.Response.Action {
        removeAttachmentSegment(id: segment.id)
    }
}

extension LanguageModelExecutorGenerationChannel.ToolCalls.Action {
    /// Drops the call that has this one's id.
    public static func removeToolCall(
        _ toolCall: Transcript.ToolCall
    ) -> LanguageModelExecutorGenerationChannel.ToolCalls.Action {
        removeToolCall(id: toolCall.id)
    }
}

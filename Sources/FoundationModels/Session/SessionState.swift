/// What a session holds under its lock.
struct SessionState: Sendable {
    /// Everything but what the running request has added.
    var settled: Transcript
    /// The running request, if any.
    var active: ActiveRequest?
    /// Tokens of the finished requests.
    var spent = LanguageModelSession.Usage.none
    var policy: TranscriptErrorHandlingPolicy?

    struct ActiveRequest: Sendable {
        let run: ResponseRun
        let prompt: Transcript.Prompt
        var assembler = EventAssembler()
        /// What the profile of the present round says.
        var policy: TranscriptErrorHandlingPolicy?
        /// The transcript was set from outside: the request has to end.
        var isBroken = false

        /// What the request has added to the transcript.
        var entries: [Transcript.Entry] { [.prompt(prompt)] + assembler.entries }
    }

    var transcript: Transcript {
        guard let active, !active.isBroken else { return settled }
        return Transcript(entries: settled.entries + active.entries)
    }

    var usage: LanguageModelSession.Usage {
        guard let active else { return spent }
        return spent + active.assembler.usage
    }

    /// Ends the running request: its entries become part of the transcript, or are forgotten.
    mutating func finish(keepingEntries: Bool) {
        guard let request = active else { return }
        spent = spent + request.assembler.usage
        if keepingEntries, !request.isBroken { settled.append(contentsOf: request.entries) }
        active = nil
    }
}

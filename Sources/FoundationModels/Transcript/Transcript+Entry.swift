extension Transcript {
    /// One step of the conversation.
    public enum Entry: Sendable, Identifiable, Equatable, CustomStringConvertible {
        /// What the model was told to be, and the tools it was given.
        case instructions(Transcript.Instructions)
        /// What the user asked.
        case prompt(Transcript.Prompt)
        /// Calls that the model made.
        case toolCalls(Transcript.ToolCalls)
        /// What one call gave.
        case toolOutput(Transcript.ToolOutput)
        /// What the model answered.
        case response(Transcript.Response)
        /// What the model thought.
        case reasoning(Transcript.Reasoning)
        /// Bytes with a type.
        case data(Transcript.DataEntry)

        /// The id of the payload.
        public var id: String {
            switch self {
            case .instructions(let entry): entry.id
            case .prompt(let entry): entry.id
            case .toolCalls(let entry): entry.id
            case .toolOutput(let entry): entry.id
            case .response(let entry): entry.id
            case .reasoning(let entry): entry.id
            case .data(let entry): entry.id
            }
        }

        public var description: String {
            switch self {
            case .instructions(let entry): entry.description
            case .prompt(let entry): entry.description
            case .toolCalls(let entry): entry.description
            case .toolOutput(let entry): entry.description
            case .response(let entry): entry.description
            case .reasoning(let entry): entry.description
            case .data(let entry): "(Data) \(entry.contentType.identifier), \(entry.content.count) bytes"
            }
        }
    }
}

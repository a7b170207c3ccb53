import FoundationModels

extension RefusedLocalRequest: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tools(let names):
            "The request offers tools (\(names.joined(separator: ", "))); local models do not call tools yet. "
                + "Make the session without tools, or set toolCallingMode to .disallowed."
        case .schema(let name):
            "The request asks for '\(name)'; local models do not obey schemas yet. Ask for text."
        case .reasoningLevel:
            "The request sets reasoningLevel; local models have no levels of reasoning. Leave it nil."
        case .image(_, let label):
            "The transcript holds an image\(label.map { " ('\($0)')" } ?? ""); local models see no images. Remove it."
        case .data(_, let type):
            "The transcript holds data of type \(type); local models read text only. Remove it, or give its text."
        case .toolEntry(let entry):
            "The transcript holds an entry of a tool ('\(entry.id)'); local models do not read these yet. "
                + "Leave tool calls and their outputs out of the transcript."
        case .noPrompt:
            "The transcript does not end with a prompt: there is nothing to answer. Append a prompt entry."
        case .responseTokens(let count):
            "The option maximumResponseTokens is \(count); allowed: 1 or more."
        case .topK(let k):
            "The sampling mode keeps \(k) tokens; allowed: 1 or more."
        case .notANumber(let option, let value):
            "The option \(option) is \(value); a finite number is needed."
        }
    }
}

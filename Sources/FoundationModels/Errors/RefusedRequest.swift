/// Why a session refuses a request before the model sees it, and the words for it.
package enum RefusedRequest: Sendable {
    case tools([String])
    case requiredWithoutTools
    case schema(String)
    case reasoningLevel
    case image(String?)
    case dataAttachment(String)
    case dataEntry(String)

    var words: String {
        switch self {
        case .tools(let names):
            "The session has tools (\(names.joined(separator: ", "))), but the model does not declare toolCalling. "
                + "Make the session without tools, or choose another model."
        case .requiredWithoutTools:
            "toolCallingMode is .required, but the session has no tools. Give it tools, or change the mode."
        case .schema(let name):
            "The request asks for '\(name)', but the model does not declare guidedGeneration. "
                + "Ask for text, or choose another model."
        case .reasoningLevel:
            "The request sets reasoningLevel, but the model does not declare reasoning. "
                + "Leave it nil, or choose another model."
        case .image(let label):
            "The transcript holds an image\(label.map { " ('\($0)')" } ?? ""), but the model does not declare vision. "
                + "Remove the image, or choose another model."
        case .dataAttachment(let type):
            "The transcript holds a data attachment of type \(type), which the model does not take."
        case .dataEntry(let type):
            "The model sent a data entry of type \(type), which it says it does not support."
        }
    }
}

extension LanguageModelError.UnsupportedCapability {
    package init(capability: LanguageModelCapabilities.Capability, cause: RefusedRequest) {
        self.init(capability: capability, debugDescription: cause.words)
    }
}

extension LanguageModelError.UnsupportedTranscriptContent {
    package init(unsupportedContent: [Transcript.Entry], cause: RefusedRequest) {
        self.init(unsupportedContent: unsupportedContent, debugDescription: cause.words)
    }
}

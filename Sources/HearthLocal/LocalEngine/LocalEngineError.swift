/// Why the engine refuses a request. Errors of the rooms below pass through it unchanged.
package enum LocalEngineError: Error, Equatable {
    /// The file has no chat template, so that messages have no text.
    case noTemplate(model: String)
    case emptyStop
    case emptyPrompt
}

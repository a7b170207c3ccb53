/// The prompt of `hearth run`: PROMPT, then `--file`, then standard input, joined by empty lines.
struct PromptText {
    let arguments: Arguments
    let input: StandardInput

    init(_ arguments: Arguments, input: StandardInput = StandardInput()) {
        self.arguments = arguments
        self.input = input
    }

    func read() throws(CommandError) -> String {
        var parts: [String] = []
        if let prompt = arguments.operand { parts.append(prompt) }
        if let path = arguments.text("--file") {
            parts.append(try text(try TextFile.bytes(path), source: "`\(path)`"))
        }
        // A person at the keyboard without a prompt is told how to give one.
        let isAlone = parts.isEmpty
        if isAlone && input.isTerminal { throw .noPrompt }
        switch try input.read(waiting: isAlone) {
        case .text(let bytes): parts.append(try text(bytes, source: "Standard input"))
        case .nothing: break
        case .silent:
            StandardError.line(
                "hearth: nothing came on standard input within a second; it is left out (`< /dev/null` avoids the wait)"
            )
        }
        guard parts.contains(where: { !isBlank($0) }) else { throw .noPrompt }
        return parts.joined(separator: "\n\n")
    }

    /// Blanks alone ask nothing; as raw text they may go on from nothing.
    private func isBlank(_ text: String) -> Bool {
        arguments.flag("--raw") ? text.isEmpty : text.utf8.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// Without `--raw` the line end that closes a file is no part of the prompt.
    private func text(_ bytes: [UInt8], source: String) throws(CommandError) -> String {
        var text = try TextFile.text(bytes, source: source)
        if !arguments.flag("--raw"), text.utf8.last == UInt8(ascii: "\n") {
            text.unicodeScalars.removeLast()
            if text.utf8.last == UInt8(ascii: "\r") { text.unicodeScalars.removeLast() }
        }
        return text
    }
}

/// What one rendering may use. A template comes with a model file, so that it is a guest's code.
package struct TemplateBudget: Hashable, Sendable {
    package enum Resource: Hashable, Sendable {
        case steps, depth, output, memory, time, nesting

        func words(_ limit: Int) -> String {
            switch self {
            case .steps: "\(limit) steps"
            case .depth: "\(limit) levels of calls and nested tags"
            case .output: "\(limit) bytes of output"
            case .memory: "\(limit) bytes of working texts and lists"
            case .time: "\(limit) milliseconds"
            case .nesting: "\(limit) levels of values inside values"
            }
        }
    }

    /// Statements run, expressions evaluated and items visited.
    package var steps: Int
    /// Levels of evaluation inside each other: tags, expressions, macro calls.
    package var depth: Int
    /// Bytes of the prompt.
    package var output: Int
    /// Bytes of all texts and lists made on the way, counted when they are made.
    package var memory: Int
    /// Of the processor, on the rendering's thread: a busy machine does not use it up.
    package var milliseconds: Int
    /// Lists and mappings inside each other.
    package var nesting: Int

    /// For a context of `bytes` bytes.
    ///
    /// An ordinary template takes some hundred steps a message. Two million end a loop without end in a fraction of a
    /// second; a long conversation brings its own allowance, as its rendering may visit every byte a few times, and a
    /// character that is a text of its own costs some 130 bytes.
    package static func standard(contextBytes bytes: Int = 0) -> TemplateBudget {
        let bytes = max(0, min(bytes, 1 << 30))
        return TemplateBudget(
            steps: 2_000_000 + 20 * bytes, depth: 300, output: (8 << 20) + 8 * bytes, memory: (24 << 20) + 256 * bytes,
            milliseconds: 800 + bytes / 50, nesting: 128)
    }

    package init(steps: Int, depth: Int, output: Int, memory: Int, milliseconds: Int, nesting: Int) {
        (self.steps, self.depth, self.output) = (steps, depth, output)
        (self.memory, self.milliseconds, self.nesting) = (memory, milliseconds, nesting)
    }
}

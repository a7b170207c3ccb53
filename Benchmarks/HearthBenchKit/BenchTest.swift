/// What a row measures, and how it is called.
package enum BenchTest: Sendable, Hashable {
    /// Reads `tokens` at once behind `depth` others.
    case prompt(tokens: Int, depth: Int)
    /// Evaluates `tokens` one at a time behind `depth` others.
    case generation(tokens: Int, depth: Int)
    /// Both in one timed run.
    case both(prompt: Int, generation: Int, depth: Int)
    /// A whole request: from the tokenised prompt to the first sampled token, and the time of each token after it.
    case request(prompt: Int, tokens: Int)
    /// A request of one token whose prompt begins with `cached` tokens that were read before, and one that does not.
    case prefix(prompt: Int, cached: Int)
    /// Choosing one token from the logits of the model's vocabulary.
    case sampling

    /// Tokens that a sequence must have room for.
    var positions: Int {
        switch self {
        case .prompt(let tokens, let depth), .generation(let tokens, let depth): tokens + depth
        case .both(let prompt, let generation, let depth): prompt + generation + depth
        // The last token of a reply is not evaluated.
        case .request(let prompt, let tokens): prompt + tokens
        case .prefix(let prompt, _): prompt + 1
        case .sampling: SamplingCost.tokens
        }
    }
}

/// The parts of one measurement that get a row each.
package struct RowName: Sendable, Hashable {
    /// `pp512`, `tg128`, `pp512+tg128`, `ttft512`, `tpot128`, `sample`.
    package var text: String
    package var prompt = 0
    package var generated = 0
    package var depth = 0
    /// Tokens of the prompt that the engine took from its cache, by its own count; nil where nobody asked for such.
    package var cached: Int?
    /// Whether its figure is a time and no speed is asked for.
    package var isTime = false

    /// As llama-bench writes it: `tg128 @ d4096`; with what was cached, `ttft512 (448 cached)`, and beside it `ttft512 (0 cached)`.
    package var full: String {
        text + (depth > 0 ? " @ d\(depth)" : "") + (cached.map { " (\($0) cached)" } ?? "")
    }

    package static func prompt(_ tokens: Int, depth: Int = 0) -> RowName {
        RowName(text: "pp\(tokens)", prompt: tokens, depth: depth)
    }
    package static func generation(_ tokens: Int, depth: Int = 0) -> RowName {
        RowName(text: "tg\(tokens)", generated: tokens, depth: depth)
    }
    package static func both(_ prompt: Int, _ generated: Int, depth: Int = 0) -> RowName {
        RowName(text: "pp\(prompt)+tg\(generated)", prompt: prompt, generated: generated, depth: depth)
    }
    package static func firstToken(_ prompt: Int, cached: Int? = nil) -> RowName {
        RowName(text: "ttft\(prompt)", prompt: prompt, cached: cached, isTime: true)
    }
    /// Tokens after the first of a reply; its prompt is their depth.
    package static func eachToken(_ tokens: Int, behind prompt: Int) -> RowName {
        RowName(text: "tpot\(tokens)", generated: tokens, depth: prompt)
    }

    /// The name that llama-bench would give a row with these numbers: for files that have no name in them.
    package static func of(prompt: Int, generated: Int, depth: Int) -> RowName {
        switch (prompt, generated) {
        case (_, 0): .prompt(prompt, depth: depth)
        case (0, _): .generation(generated, depth: depth)
        default: .both(prompt, generated, depth: depth)
        }
    }
}

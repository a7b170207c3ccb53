package import HearthInference

/// What is said on standard error beside an answer: something that was asked for does nothing, or the answer is not whole.
package enum CommandWarning: Sendable, Equatable {
    /// `--draft` on a request in which nothing is guessed.
    case draftDoesNothing(guesses: Int, GuessObstacle)
    /// `--quantize` on a file that keeps no matrix as floats.
    case nothingToQuantise(type: String)
    /// The prompt is a model's name and nothing else, as other programs have it.
    case modelAsPrompt(String)
    /// - Parameter canGrow: whether the model was trained for a longer context.
    case contextFull(context: Int, input: Int, output: Int, canGrow: Bool)

    func say() { StandardError.line("hearth: \(description)") }
}

extension CommandWarning: CustomStringConvertible {
    package var description: String {
        switch self {
        case .draftDoesNothing(let guesses, let obstacle):
            "--draft \(guesses) does nothing here: \(Self.words(obstacle)), or leave --draft out."
        case .nothingToQuantise(let type):
            "--quantize \(type) does nothing here: the file keeps no matrix as floats that could become \(type). Start from a file with float "
                + "weights, or leave --quantize out."
        case .modelAsPrompt(let name):
            "`\(name)` was taken as the prompt; `--model \(name)` chooses the model of that name."
        case .contextFull(let context, let input, let output, let canGrow):
            "The answer was cut: the context of \(context) tokens is full (\(input) of the prompt, \(output) of the answer). "
                + (canGrow
                    ? "Raise --context, or shorten the prompt."
                    : "The model was trained for no more: shorten the prompt, or choose a model with a longer context.")
        }
    }

    private static func words(_ obstacle: GuessObstacle) -> String {
        switch obstacle {
        case .drawn(let temperature):
            "tokens are drawn, at a temperature of \(temperature), and only the likeliest can be foreseen. Add --temperature 0"
        case .penalties:
            "repetition is penalised, by --repeat-penalty or by the model's own wish, so that a guess would change the next choice. "
                + "Add --repeat-penalty 1"
        case .constraint: "a constraint narrows each choice. Do without it"
        case .blas: "--backend blas gives other bits to several tokens than to one. Choose another backend"
        case .state: "this model has short convolutions, whose state a wrong guess cannot be taken out of. Choose another model"
        }
    }
}

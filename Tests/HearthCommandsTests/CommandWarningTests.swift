import HearthCommands
import HearthInference
import Testing

@Suite("CommandWarning")
struct CommandWarningTests {
    static let rows: [(CommandWarning, String)] = [
        (
            .draftDoesNothing(guesses: 5, .drawn(temperature: 0.7)),
            "--draft 5 does nothing here: tokens are drawn, at a temperature of 0.7, and only the likeliest can be foreseen. Add --temperature 0, or leave --draft out."
        ),
        (
            .draftDoesNothing(guesses: 1, .penalties),
            "--draft 1 does nothing here: repetition is penalised, by --repeat-penalty or by the model's own wish, so that a guess would change the next choice. Add --repeat-penalty 1, or leave --draft out."
        ),
        (
            .draftDoesNothing(guesses: 1, .constraint),
            "--draft 1 does nothing here: a constraint narrows each choice. Do without it, or leave --draft out."
        ),
        (
            .draftDoesNothing(guesses: 15, .blas),
            "--draft 15 does nothing here: --backend blas gives other bits to several tokens than to one. Choose another backend, or leave --draft out."
        ),
        (
            .draftDoesNothing(guesses: 2, .state),
            "--draft 2 does nothing here: this model has short convolutions, whose state a wrong guess cannot be taken out of. Choose another model, or leave --draft out."
        ),
        (
            .nothingToQuantise(type: "q8_0"),
            "--quantize q8_0 does nothing here: the file keeps no matrix as floats that could become q8_0. Start from a file with float weights, or leave --quantize out."
        ),
        (
            .modelAsPrompt("smollm2"),
            "`smollm2` was taken as the prompt; `--model smollm2` chooses the model of that name."
        ),
        (
            .contextFull(context: 12, input: 5, output: 7, canGrow: true),
            "The answer was cut: the context of 12 tokens is full (5 of the prompt, 7 of the answer). Raise --context, or shorten the prompt."
        ),
        (
            .contextFull(context: 12, input: 5, output: 7, canGrow: false),
            "The answer was cut: the context of 12 tokens is full (5 of the prompt, 7 of the answer). The model was trained for no more: shorten the prompt, or choose a model with a longer context."
        ),
    ]

    @Test("each warning says what does nothing or is missing, why, and what to do", arguments: rows)
    func words(warning: CommandWarning, text: String) {
        #expect(warning.description == text)
    }
}

extension CommandError: CustomStringConvertible {
    /// What happened, where, and what to do.
    package var description: String {
        switch self {
        case .helpAsked(let verb): "Help for `\(verb)` was asked for."
        case .noVerb:
            "There is no verb. `hearth --help` lists them; `hearth run \"Why is the sky blue?\"` answers a prompt."
        case .unknownVerb(let word, let suggestion):
            "`\(word)` is no verb of hearth." + CommandError.hint(suggestion) + " `hearth --help` lists the verbs."
        case .verbNotYet(let word):
            "`hearth \(word)` does not exist yet. `hearth run \"Why is the sky blue?\"` answers one prompt."
        case .optionElsewhere(let verb, let option, let here):
            "`\(CommandError.named(verb))` has no option `\(option)`; here it is \(here)."
        case .unknownOption(let verb, let option, let suggestion):
            "`\(CommandError.named(verb))` has no option `\(option)`." + CommandError.hint(suggestion)
                + " `\(CommandError.named(verb)) --help` lists the options; `--` goes before a text that begins with a dash."
        case .missingValue(let option, let expected):
            "`\(option)` stands last, without its value. It takes \(expected)."
        case .badValue(let option, let value, let expected): "`\(option)` got `\(value)`. It takes \(expected)."
        case .repeatedOption(let option): "`\(option)` stands twice. Keep the one that is meant."
        case .unexpectedArgument(let verb, let argument):
            "`\(argument)` is one argument too many for `\(CommandError.named(verb))`. Put quotes around a text with blanks."
        case .modelAsArgument(let verb, let model):
            "`\(model)` is a model, and `\(CommandError.named(verb))` takes it as an option: `\(CommandError.named(verb)) --model "
                + "\(model) ...`."
        case .missingArgument(let verb, let argument):
            "`\(CommandError.named(verb))` needs \(argument). `\(CommandError.named(verb)) --help` tells more."
        case .needsOneOf(let verb, let options, let given):
            given.isEmpty
                ? "`\(CommandError.named(verb))` needs one of \(options.joined(separator: ", "))."
                : "`\(CommandError.named(verb))` got \(given.joined(separator: " and ")). It takes exactly one of "
                    + "\(options.joined(separator: ", "))."
        case .notTogether(let verb, let one, let other, let why):
            "`\(CommandError.named(verb))` got \(one) and \(other): \(why). Leave one of them out."
        case .argumentNotText(let index, let byte):
            "Argument \(index) is not valid UTF-8 at byte \(byte). Write it in UTF-8, or put it in a file and use --file."
        case .noPrompt:
            "There is no prompt. Give it as an argument, `hearth run \"Why is the sky blue?\"`, with --file, or on standard input."
        case .inputNotText(let source, let byte):
            "\(source) is not valid UTF-8 at byte \(byte). Convert it to UTF-8 first."
        case .inputTooLong(let source, let limit):
            "\(source) is longer than \(limit) bytes. Shorten it; no model reads that much."
        case .unreadable(let path, let reason):
            "`\(path)` cannot be read: \(reason). Check the path and its permissions."
        case .unreadableInput(let reason):
            "Standard input cannot be read: \(reason). Give it text, or nothing: `< /dev/null`."
        case .badTokenFile(let path, let reason):
            "`\(path)` holds no token ids: \(reason). It should be a JSON array of whole numbers from 0, as `[1, 2, 3]`."
        case .splitOutside(let split, let count):
            "--split is \(split) and there \(CommandError.are(count, "token")). It takes a number from 1 to \(max(1, count - 1))."
        case .quantisedAlready(let tensor, let type):
            "`\(tensor)` is stored as \(type). Quantising twice loses more than either does: start from a model with float weights."
        case .tooFewTokens(let count):
            "There \(CommandError.are(count, "token")) to score. At least 2 are needed: the second is the first that can be predicted."
        case .noTexts:
            "There is no text. Give some as arguments, `hearth embed \"A cat\" \"A kitten\"`, or as lines with --file or on standard "
                + "input."
        case .tooFewTexts(let count):
            "There \(CommandError.are(count, "text")) to compare. Give at least 2."
        case .unwritable(let path, let reason):
            "`\(path)` cannot be written: \(reason). Check the folder and the room on the disk."
        case .outputFull(let reason): "Standard output cannot be written: \(reason). Make room where it goes."
        case .closedPipe: "The reader of the output went away."
        case .interrupted: "Interrupted."
        case .terminated: "Terminated."
        }
    }

    /// `are 2 tokens`, `is 1 token`
    private static func are(_ count: Int, _ thing: String) -> String {
        count == 1 ? "is 1 \(thing)" : "are \(count) \(thing)s"
    }

    private static func hint(_ suggestion: String?) -> String { suggestion.map { " Did you mean `\($0)`?" } ?? "" }

    /// `hearth run`; hearth-bench has no verbs.
    private static func named(_ verb: String) -> String { verb == "hearth-bench" ? verb : "hearth \(verb)" }
}

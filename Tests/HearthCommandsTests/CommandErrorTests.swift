import HearthCommands
import HearthInference
import HearthJSON
import HearthKernels
import Testing

@Suite("CommandError")
struct CommandErrorTests {
    static let rows: [(CommandError, ExitCode, String)] = [
        (.helpAsked(verb: "run"), .done, "Help for `run` was asked for."),
        (
            .noVerb, .usage,
            "There is no verb. `hearth --help` lists them; `hearth run \"Why is the sky blue?\"` answers a prompt."
        ),
        (
            .unknownVerb("rnu", suggestion: "run"), .usage,
            "`rnu` is no verb of hearth. Did you mean `run`? `hearth --help` lists the verbs."
        ),
        (.unknownVerb("xyz", suggestion: nil), .usage, "`xyz` is no verb of hearth. `hearth --help` lists the verbs."),
        (
            .verbNotYet("chat"), .usage,
            "`hearth chat` does not exist yet. `hearth run \"Why is the sky blue?\"` answers one prompt."
        ),
        (
            .optionElsewhere(verb: "run", option: "-n", here: "`--max-tokens N`"), .usage,
            "`hearth run` has no option `-n`; here it is `--max-tokens N`."
        ),
        (
            .modelAsArgument(verb: "run", model: "smollm2"), .usage,
            "`smollm2` is a model, and `hearth run` takes it as an option: `hearth run --model smollm2 ...`."
        ),
        (
            .unknownOption(verb: "run", option: "--sead", suggestion: "--seed"), .usage,
            "`hearth run` has no option `--sead`. Did you mean `--seed`? `hearth run --help` lists the options; `--` goes before a text that begins with a dash."
        ),
        (
            .missingValue(option: "--kv", expected: "one of a, b"), .usage,
            "`--kv` stands last, without its value. It takes one of a, b."
        ),
        (
            .badValue(option: "--top-p", value: "2", expected: "a number"), .usage,
            "`--top-p` got `2`. It takes a number."
        ),
        (.repeatedOption("--seed"), .usage, "`--seed` stands twice. Keep the one that is meant."),
        (
            .unexpectedArgument(verb: "run", argument: "b"), .usage,
            "`b` is one argument too many for `hearth run`. Put quotes around a text with blanks."
        ),
        (
            .missingArgument(verb: "show", argument: "MODEL"), .usage,
            "`hearth show` needs MODEL. `hearth show --help` tells more."
        ),
        (
            .needsOneOf(verb: "score", options: ["--text", "--file"], given: []), .usage,
            "`hearth score` needs one of --text, --file."
        ),
        (
            .needsOneOf(verb: "score", options: ["--text", "--file"], given: ["--text", "--file"]), .usage,
            "`hearth score` got --text and --file. It takes exactly one of --text, --file."
        ),
        (
            .notTogether(verb: "run", "--system", "--raw", why: "a raw prompt has no place for it"), .usage,
            "`hearth run` got --system and --raw: a raw prompt has no place for it. Leave one of them out."
        ),
        (
            .argumentNotText(index: 2, byte: 0), .usage,
            "Argument 2 is not valid UTF-8 at byte 0. Write it in UTF-8, or put it in a file and use --file."
        ),
        (
            .noPrompt, .usage,
            "There is no prompt. Give it as an argument, `hearth run \"Why is the sky blue?\"`, with --file, or on standard input."
        ),
        (
            .inputNotText(source: "a.txt", byte: 3), .usage,
            "a.txt is not valid UTF-8 at byte 3. Convert it to UTF-8 first."
        ),
        (
            .inputTooLong(source: "a.txt", limit: 5), .usage,
            "a.txt is longer than 5 bytes. Shorten it; no model reads that much."
        ),
        (
            .unreadable(path: "a", reason: "No such file or directory"), .usage,
            "`a` cannot be read: No such file or directory. Check the path and its permissions."
        ),
        (
            .badTokenFile(path: "a", reason: "it is an object"), .usage,
            "`a` holds no token ids: it is an object. It should be a JSON array of whole numbers from 0, as `[1, 2, 3]`."
        ),
        (
            .splitOutside(split: 9, count: 5), .usage,
            "--split is 9 and there are 5 tokens. It takes a number from 1 to 4."
        ),
        (
            .quantisedAlready(tensor: "w", type: "Q4_0"), .refused,
            "`w` is stored as Q4_0. Quantising twice loses more than either does: start from a model with float weights."
        ),
        (
            .unreadableInput(reason: "Is a directory"), .usage,
            "Standard input cannot be read: Is a directory. Give it text, or nothing: `< /dev/null`."
        ),
        (
            .splitOutside(split: 2, count: 1), .usage,
            "--split is 2 and there is 1 token. It takes a number from 1 to 1."
        ),
        (
            .tooFewTokens(count: 1), .usage,
            "There is 1 token to score. At least 2 are needed: the second is the first that can be predicted."
        ),
        (
            .noTexts, .usage,
            "There is no text. Give some as arguments, `hearth embed \"A cat\" \"A kitten\"`, or as lines with --file or on standard input."
        ),
        (.tooFewTexts(count: 1), .usage, "There is 1 text to compare. Give at least 2."),
        (.tooFewTexts(count: 0), .usage, "There are 0 texts to compare. Give at least 2."),
        (
            .unwritable(path: "o", reason: "Permission denied"), .disk,
            "`o` cannot be written: Permission denied. Check the folder and the room on the disk."
        ),
        (
            .outputFull(reason: "No space left on device"), .disk,
            "Standard output cannot be written: No space left on device. Make room where it goes."
        ),
        (.closedPipe, .closedPipe, "The reader of the output went away."),
        (.interrupted, .interrupted, "Interrupted."),
        (.terminated, .terminated, "Terminated."),
    ]

    @Test("each case has its status and its complete text", arguments: rows)
    func words(error: CommandError, code: ExitCode, text: String) {
        #expect(error.code == code)
        #expect(error.description == text)
    }

    @Test("a model that memory does not hold is refused, told beforehand or met on the way")
    func memory() throws {
        let room = try #require(MemoryRoom(MemoryReadings(machine: 1)))
        for error in [InferenceError.notEnoughMemory(needed: 2, room: room), .kernel(.outOfMemory(bytes: 2))] {
            #expect(ErrorMapper.failure(for: error) == Failure(code: .refused, words: "\(error)"))
        }
    }

    @Test("an error as JSON carries status, kind and words")
    func json() throws {
        let failure = ErrorMapper.failure(for: CommandError.repeatedOption("--seed"))
        #expect(
            try failure.json.text(.compact)
                == #"{"error":{"code":2,"kind":"usage","message":"`--seed` stands twice. Keep the one that is meant."}}"#
        )
    }
}

import HearthCommands
import Testing

@Suite("ArgumentParser")
struct ArgumentParserTests {
    static let run = ArgumentParser(Verbs.run)

    @Test("options and the prompt may stand in any order")
    func order() throws {
        for words in [
            ["--seed", "7", "hello"], ["hello", "--seed", "7"], ["--seed=7", "hello"], ["--seed=7", "--", "hello"],
        ] {
            let arguments = try Self.run.parse(words)
            #expect(arguments.seed("--seed") == 7)
            #expect(arguments.operand == "hello")
        }
    }

    @Test("two dashes end the options, so that a prompt may begin with a dash")
    func dashes() throws {
        #expect(try Self.run.parse(["--", "--seed"]).operand == "--seed")
        #expect(try Self.run.parse(["-"]).operand == "-")
    }

    @Test("a value may hold an equals sign, be empty or begin with a dash")
    func values() throws {
        #expect(try Self.run.parse(["--system=a=b"]).text("--system") == "a=b")
        #expect(try Self.run.parse(["--system", ""]).text("--system") == "")
        #expect(try Self.run.parse(["--stop", "--", "--stop", "x"]).all("--stop") == ["--", "x"])
    }

    @Test("a short form is the same option")
    func shortForm() throws { #expect(try Self.run.parse(["-m", "x"]).text("--model") == "x") }

    @Test("a value is read by every spelling of its option, whichever the table puts first")
    func everySpelling() throws {
        let table = VerbTable(
            "bench", "", options: [Option("-t", "--threads", kind: .integer("N", 1...8), help: "workers")])
        for words in [["-t", "3"], ["--threads", "3"], ["--threads=3"]] {
            let arguments = try ArgumentParser(table).parse(words)
            #expect(arguments.integer("-t") == 3)
            #expect(arguments.integer("--threads") == 3)
        }
    }

    @Test("a list has values of its kind, at least one, or as many as its table says")
    func lists() throws {
        let table = VerbTable(
            "bench", "",
            options: [
                Option("-t", kind: .list(.integer("N", 1...8)), help: "workers", repeats: true),
                Option("-pg", kind: .list(.integer("N", 1...8), count: 2), help: "a pair"),
            ])
        let parser = ArgumentParser(table)
        #expect(try parser.parse(["-t", "1,2", "-t", "3"]).integers("-t") == [1, 2, 3])
        #expect(try parser.parse([]).integers("-t") == [])
        for value in ["", ",", "1,", "1,9", "x"] {
            let expected = "a whole number from 1 to 8, or several separated by commas"
            #expect(throws: CommandError.badValue(option: "-t", value: value, expected: expected)) {
                try parser.parse(["-t", value])
            }
        }
        #expect(try parser.parse(["-pg", "1,2"]).texts("-pg") == ["1", "2"])
        for value in ["1", "1,2,3"] {
            let expected = "2 values separated by commas, each a whole number from 1 to 8"
            #expect(throws: CommandError.badValue(option: "-pg", value: value, expected: expected)) {
                try parser.parse(["-pg", value])
            }
        }
        #expect(table.options.map(\.placeholder) == ["N,...", "N,N"])
    }

    @Test(
        "numbers are kept to their range",
        arguments: [
            (
                ["--top-p", "1.5"],
                CommandError.badValue(option: "--top-p", value: "1.5", expected: "a decimal number from 0.0 to 1.0")
            ),
            (["--temperature", "-1"], .badValue(option: "--temperature", value: "-1", expected: "a decimal number from 0.0")),
            (
                ["--temperature", "0x1p-1"],
                .badValue(option: "--temperature", value: "0x1p-1", expected: "a decimal number from 0.0")
            ),
            (
                ["--temperature", "nan"],
                .badValue(option: "--temperature", value: "nan", expected: "a decimal number from 0.0")
            ),
            (
                ["--temperature", "inf"],
                .badValue(option: "--temperature", value: "inf", expected: "a decimal number from 0.0")
            ),
            (["--max-tokens", "0"], .badValue(option: "--max-tokens", value: "0", expected: "a whole number from 1")),
            (
                ["--threads", "9999999999999999999"],
                .badValue(option: "--threads", value: "9999999999999999999", expected: "a whole number from 1 to 256")
            ),
            (
                ["--seed", "-1"],
                .badValue(option: "--seed", value: "-1", expected: "a whole number from 0 to 18446744073709551615")
            ),
            (["--kv", "f64"], .badValue(option: "--kv", value: "f64", expected: "one of f32, f16, q8_0")),
            (["--raw=yes"], .badValue(option: "--raw", value: "yes", expected: "no value")),
            (["--seed"], .missingValue(option: "--seed", expected: "a whole number from 0 to 18446744073709551615")),
            (["--seed", "1", "--seed", "2"], .repeatedOption("--seed")),
            (["a", "b"], .unexpectedArgument(verb: "run", argument: "b")),
            (["--heat", "1"], .unknownOption(verb: "run", option: "--heat", suggestion: nil)),
            (["--temprature", "1"], .unknownOption(verb: "run", option: "--temprature", suggestion: "--temperature")),
            (["--top-q", "1"], .unknownOption(verb: "run", option: "--top-q", suggestion: "--top-k")),
            (["--stpo", "1"], .unknownOption(verb: "run", option: "--stpo", suggestion: "--stop")),
            (["--help"], .helpAsked(verb: "run")),
        ])
    func refusals(words: [String], error: CommandError) {
        #expect(throws: error) { try Self.run.parse(words) }
    }

    @Test("the largest seed passes whole")
    func largestSeed() throws {
        #expect(try Self.run.parse(["--seed", "18446744073709551615"]).seed("--seed") == UInt64.max)
    }

    @Test("a verb without operand takes none, a required operand must be there")
    func operands() {
        #expect(throws: CommandError.unexpectedArgument(verb: "list", argument: "x")) {
            try ArgumentParser(Verbs.list).parse(["x"])
        }
        #expect(throws: CommandError.missingArgument(verb: "show", argument: "MODEL")) {
            try ArgumentParser(Verbs.show).parse([])
        }
    }

    @Test("help of a verb names every option with its line")
    func help() {
        for table in Verbs.all {
            let text = HelpText.verb(table)
            for option in table.options {
                #expect(text.contains(option.name) && text.contains(option.help))
            }
            #expect(HelpText.overview(Verbs.all).contains(table.summary))
        }
    }

    @Test(
        "options of other programs are answered with what they are called here",
        arguments: [
            ("-n", "`--max-tokens N`"), ("-n64", "`--max-tokens N`"), ("--n-predict", "`--max-tokens N`"), ("-t", "`--threads N`"),
            ("-t4", "`--threads N`"), ("-c", "`--context N`"), ("--temp", "`--temperature T`"), ("-s", "`--seed S`"),
            ("-f", "`--file F`"), ("-p", "PROMPT itself, in quotes and without an option"),
            ("--prompt", "PROMPT itself, in quotes and without an option"),
        ])
    func elsewhere(option: String, here: String) {
        #expect(throws: CommandError.optionElsewhere(verb: "run", option: option, here: here)) {
            try Self.run.parse([option, "64"])
        }
        // Where a verb has nothing that stands for it, it is an unknown option.
        #expect(throws: CommandError.unknownOption(verb: "list", option: option, suggestion: nil)) {
            try ArgumentParser(Verbs.list).parse([option])
        }
    }

    @Test("no spelling of another program is one of our own")
    func elsewhereIsElsewhere() {
        for table in Verbs.all {
            let own = table.options.flatMap(\.spellings)
            let others = table.options.flatMap(\.elsewhere) + table.operandElsewhere
            #expect(Set(own).isDisjoint(with: others), "\(table.name)")
            #expect(Set(others).count == others.count, "\(table.name)")
        }
    }

    @Test("a model's name before the prompt is told to be an option, and two texts are one too many as ever")
    func modelFirst() {
        for model in ["smollm2", "smollm2-135m-instruct-q4_1", "folder/my.gguf"] {
            #expect(throws: CommandError.modelAsArgument(verb: "run", model: model)) { try Self.run.parse([model, "hi"]) }
        }
        #expect(throws: CommandError.modelAsArgument(verb: "score", model: "smollm2")) {
            try ArgumentParser(Verbs.score).parse(["smollm2", "--text", "hi"])
        }
        for first in ["Hello", "read my.gguf"] {
            #expect(throws: CommandError.unexpectedArgument(verb: "run", argument: "hi")) { try Self.run.parse([first, "hi"]) }
        }
    }
}

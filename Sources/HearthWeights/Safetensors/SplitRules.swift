import HearthJSON

/// How the pre-tokenizer of `tokenizer.json` cuts a byte-level text into words: by the expressions that models have, under the
/// names that `HearthTokenizers` has for them. Another expression is refused, since guessing would change the model's input.
struct SplitRules {
    /// Names of passes, in order.
    private(set) var passes: [String] = []
    /// A space goes in front of a text that begins with something else.
    private(set) var beginsWithSpace = false

    private static let key = "pre_tokenizer"
    private static let supported =
        "ByteLevel as its last step, before it Digits, Punctuation, and Split by the expressions of "
        + "gpt-2, llama-bpe, qwen2, gpt-4o, tekken, deepseek, falcon, bloom and models that share theirs"

    init(_ steps: [JSON], path: String) throws(CheckpointError) {
        func refused(_ value: String) -> CheckpointError {
            CheckpointError(
                path, .badSetting(key: Self.key, value: String(value.prefix(300)), supported: Self.supported))
        }
        // Falcon looks at digits after the bytes were spelled out, which leaves digits as they are.
        if steps.compactMap({ $0["type"]?.stringValue }) == ["Punctuation", "ByteLevel", "Digits", "Split"],
            steps[0]["behavior"]?.stringValue == "Contiguous", steps[2]["individual_digits"]?.boolValue == false,
            steps[3]["pattern"]?["Regex"]?.stringValue == "[0-9][0-9][0-9]"
        {
            passes = ["punctuation-runs", "gpt2", "numbers", "digit-triples"]
            return
        }
        for (index, step) in steps.enumerated() {
            switch step["type"]?.stringValue ?? "" {
            case "Split":
                guard let text = step["pattern"]?["Regex"]?.stringValue,
                    let name = Self.expressions[Self.canonical(text)]
                else {
                    throw refused("Split by \(step["pattern"]?.description ?? "nothing")")
                }
                let behavior = step["behavior"]?.stringValue ?? ""
                let isInverted = step["invert"]?.boolValue ?? false
                // What an expression that covers every text leaves is nothing, so that dropping it changes nothing.
                guard
                    (behavior == "Isolated" && !isInverted)
                        || (behavior == "Removed" && isInverted && Self.coversAll(name))
                else {
                    throw refused("Split with the behavior \(behavior)\(isInverted ? ", inverted" : "")")
                }
                passes.append(name)
            case "Digits": passes.append(step["individual_digits"]?.boolValue == true ? "numbers-1" : "numbers")
            case "Punctuation":
                switch step["behavior"]?.stringValue ?? "Isolated" {
                case "Isolated": passes.append("punctuation")
                case "Contiguous": passes.append("punctuation-runs")
                case let other: throw refused("Punctuation with the behavior \(other)")
                }
            case "ByteLevel":
                guard index == steps.count - 1 else {
                    throw refused("ByteLevel before \(steps[index + 1]["type"]?.stringValue ?? "?")")
                }
                if step["use_regex"]?.boolValue ?? true { passes.append("gpt2") }
                if step["add_prefix_space"]?.boolValue ?? true {
                    // Elsewhere each of the words before it would get one.
                    guard index == 0 else { throw refused("ByteLevel with `add_prefix_space` behind other steps") }
                    beginsWithSpace = true
                }
            case let other: throw refused(other.isEmpty ? step.description : other)
            }
        }
        guard steps.last?["type"]?.stringValue == "ByteLevel" else {
            throw refused(steps.isEmpty ? "null" : "without ByteLevel at its end")
        }
    }

    /// GGUF's name where it has one, else the passes.
    func name(ignoresMerges: Bool) -> String {
        switch passes {
        case ["gpt2"]: "gpt-2"
        case ["numbers-1", "gpt2"]: "smollm"
        // The two differ in whether a word that is a piece is taken whole.
        case ["words-3"]: ignoresMerges ? "llama-bpe" : "dbrx"
        case ["words-1"]: "qwen2"
        case ["words-cased-3"]: "gpt-4o"
        case ["words-cased-plain-1"]: "tekken"
        default: "passes:" + passes.joined(separator: ",")
        }
    }

    private static func coversAll(_ name: String) -> Bool {
        name == "gpt2" || name.hasPrefix("words-") && name != "words-marked"
    }

    /// One spelling for expressions that match the same.
    private static func canonical(_ text: String) -> String {
        var text = text
        for (old, new) in [
            // Together they are one character to Swift.
            ("\r\n", #"\r\n"#), ("\r", #"\r"#), ("\n", #"\n"#),
            ("(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])", contractions),
            ("'(?i:[sdmt]|ll|ve|re)", contractions),
            // What comes behind a possessive part never matches what the part took.
            ("]?+", "]?"), ("]++", "]+"),
            // Both reach to the last line end of the run.
            (#"|\s*[\r\n]|"#, #"|\s*[\r\n]+|"#),
        ] { text = text.replacing(old, with: new) }
        return text
    }

    private static let contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
    private static let word = #"[^\r\n\p{L}\p{N}]?\p{L}+"#
    private static let spaces = #"|\s*[\r\n]+|\s+(?!\S)|\s+"#
    private static let rest = #"| ?[^\s\p{L}\p{N}]+[\r\n]*"# + spaces
    private static let upper = #"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"#
    private static let lower = #"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"#
    private static let slashes = #"| ?[^\s\p{L}\p{N}]+[\r\n/]*"# + spaces
    private static let lead = #"[^\r\n\p{L}\p{N}]?"#

    private static let expressions: [String: String] = [
        #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"#: "gpt2",
        contractions + "|" + word + #"|\p{N}{1,3}"# + rest: "words-3",
        contractions + "|" + word + #"|\p{N}"# + rest: "words-1",
        contractions + "|" + word + #"|\p{N}+"# + rest: "words-all",
        word + #"|\p{N}"# + rest: "words-plain-1",
        contractions + #"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"# + spaces:
            "words-marks-1",
        lead + upper + "*" + lower + "+" + contractions + "?|" + lead + upper + "+" + lower + "*" + contractions
            + #"?|\p{N}{1,3}"# + slashes: "words-cased-3",
        lead + upper + "*" + lower + "+|" + lead + upper + "+" + lower + #"*|\p{N}"# + slashes: "words-cased-plain-1",
        ##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"##
            + spaces: "words-marked",
        #"\p{N}"#: "numbers-1",
        #"\p{N}{1,3}"#: "numbers-3",
        #"\p{N}+"#: "numbers",
        "[0-9][0-9][0-9]": "digit-triples",
        #"[\r\n]"#: "line-ends",
        #"[^\n]+|[\n]+"#: "lines",
        #"\s+$"#: "final-space",
        #"\s?\p{L}+"#: "letters",
        #"\s?\p{P}+"#: "unicode-punctuation",
        "[一-龥぀-ゟ゠-ヿ]+": "cjk",
        "[一-龥ࠀ-一가-퟿]+": "deepseek-cjk",
        #"\s?[!-/:-~！-／：-～‘-‟　-。]+"#: "deepseek-punctuation",
        #"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+"#:
            "deepseek-letters",
        // The bracket inside the bracket adds to it.
        #" ?[^(\s|[.,!?…。，、।۔،])]+"#: "bloom",
    ]
}

/// Why a command ended early. The words are in `CommandError+Words.swift`, the statuses below.
package enum CommandError: Error, Sendable, Equatable {
    case helpAsked(verb: String)
    case noVerb
    case unknownVerb(String, suggestion: String?)
    /// A verb that other programs have and this one does not have yet.
    case verbNotYet(String)
    case unknownOption(verb: String, option: String, suggestion: String?)
    /// An option that other programs have, and what stands for it here.
    case optionElsewhere(verb: String, option: String, here: String)
    case missingValue(option: String, expected: String)
    case badValue(option: String, value: String, expected: String)
    case repeatedOption(String)
    case unexpectedArgument(verb: String, argument: String)
    /// A model's name where the text belongs, as other programs have it.
    case modelAsArgument(verb: String, model: String)
    case missingArgument(verb: String, argument: String)
    /// None, or more than one, of options of which exactly one is needed.
    case needsOneOf(verb: String, options: [String], given: [String])
    case notTogether(verb: String, String, String, why: String)
    case argumentNotText(index: Int, byte: Int)
    case noPrompt
    case inputNotText(source: String, byte: Int)
    case inputTooLong(source: String, limit: Int)
    case unreadable(path: String, reason: String)
    case unreadableInput(reason: String)
    case badTokenFile(path: String, reason: String)
    case splitOutside(split: Int, count: Int)
    case tooFewTokens(count: Int)
    case noTexts
    case tooFewTexts(count: Int)
    case quantisedAlready(tensor: String, type: String)
    case unwritable(path: String, reason: String)
    case outputFull(reason: String)
    case closedPipe
    case interrupted
    case terminated

    package var code: ExitCode {
        switch self {
        case .helpAsked: .done
        case .noVerb, .unknownVerb, .verbNotYet, .unknownOption, .optionElsewhere, .missingValue, .badValue, .repeatedOption,
            .unexpectedArgument, .modelAsArgument, .missingArgument, .needsOneOf, .notTogether, .argumentNotText, .noPrompt, .inputNotText, .inputTooLong, .unreadable,
            .unreadableInput,
            .badTokenFile, .splitOutside, .tooFewTokens, .noTexts, .tooFewTexts:
            .usage
        case .quantisedAlready: .refused
        case .unwritable, .outputFull: .disk
        case .closedPipe: .closedPipe
        case .interrupted: .interrupted
        case .terminated: .terminated
        }
    }
}

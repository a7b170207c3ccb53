extension TemplateError: CustomStringConvertible {
    package var description: String {
        guard let place else { return "The template \(cause.words)" }
        return "The template stops at \(place): \(cause.words)"
    }
}

extension TemplateError.Cause {
    var words: String {
        switch self {
        case .sourceTooLong(let bytes, let limit):
            "has \(bytes) bytes; at most \(limit) are read. Check that the file holds a chat template."
        case .unexpectedCharacter(let text): "`\(text)` cannot stand in an expression."
        case .unterminated(let what): "\(what) is not closed. Add its end."
        case .badEscape(let text): "the escape `\(text)` names no character."
        case .badNumber(let text): "`\(text)` is no number that fits 64 bits."
        case .unbalanced(let found, nil): "`\(found)` closes nothing."
        case .unbalanced(let found, let expected?): "found `\(found)` where `\(expected)` should close the bracket."
        case .unexpectedToken(let found, let expected): "found \(found) where \(expected) should stand."
        case .unknownTag(let name):
            "tag `\(name)` is unknown. Chat templates have if, for, set, macro, call, filter, with, print, raw, break, "
                + "continue and generation."
        case .strayEndTag(let name): "tag `\(name)` ends nothing that is open here."
        case .unclosedTag(let tag, let end): "tag `\(tag)` is not closed before the end. Add `{% \(end) %}`."
        case .unknownFilter(let name, let suggestion):
            "filter `\(name)` is unknown." + (suggestion.map { " Did you mean `\($0)`?" } ?? "")
        case .unknownTest(let name, let suggestion):
            "test `\(name)` is unknown." + (suggestion.map { " Did you mean `\($0)`?" } ?? "")
        case .cannotAssign(let what):
            "\(what) cannot be assigned to. Assign to a name, or to an attribute of a namespace."
        case .outsideLoop(let tag): "tag `\(tag)` stands outside a loop."
        case .sourceTooDeep(let limit): "expressions and tags are more than \(limit) deep. Split them up."
        case .raised(let text): "it refuses this conversation: \(text)"
        case .undefined(let what): "\(what). Give it a value, or test it with `is defined`."
        case .unsupported(let operation, let left, let right): "\(left) \(operation) \(right) has no meaning."
        case .wrongKind(let operation, let kind): "\(operation) does not work on \(kind)."
        case .badArguments(let function, let problem): "`\(function)` \(problem)."
        case .notCallable(let kind): "\(kind) is called, but is no function."
        case .unpack(let expected, let actual): "\(actual) values are unpacked into \(expected) names."
        case .divisionByZero: "a number is divided by zero."
        case .integerOverflow: "an integer does not fit 64 bits."
        case .forbidden(let what): "\(what) is not allowed in a chat template."
        case .notJSON(let kind): "`tojson` cannot write \(kind)."
        case .badFormat(let problem): "the format \(problem)."
        case .exhausted(let resource, let limit): "it used up its \(resource.words(limit)). Does it loop without end?"
        case .contextNotObject: "needs an object of variables to render, such as {\"messages\": [...]}."
        }
    }
}

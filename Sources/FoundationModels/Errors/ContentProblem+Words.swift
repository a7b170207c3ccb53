extension ContentProblem {
    var words: String {
        switch self {
        case .empty:
            "The text is empty; a JSON value was expected."
        case .notJSON(let reason):
            "The text is not JSON: \(reason)"
        case .missingProperty(let name):
            "The content does not contain a property '\(name)'."
        case .notAStructure(let property, let found):
            "The content is \(found), so it does not contain a property '\(property)'; an object was expected."
        case .wrongKind(let expected, let found):
            "The content is \(found); \(expected) was expected."
        case .notWhole(let value):
            "The content is the number \(value); a whole number was expected."
        case .outOfRange(let type, let value):
            "The number \(value) does not fit \(type)."
        case .uninhabited:
            "Never has no values, so no content can become one."
        case .unfinished(let type):
            "The answer ended inside the \(type). Raise maximumResponseTokens or simplify the schema."
        case .unknownTool(let name, let known):
            "The model called the tool '\(name)', which this session does not have. It has "
                + (known.isEmpty ? "no tools." : "\(known.map { "'\($0)'" }.joined(separator: ", ")).")
        case .unreadableArguments(let tool, let reason):
            "The arguments of the call to '\(tool)' are not a JSON value: \(reason)"
        }
    }
}

extension SchemaProblem {
    func words(schema: String) -> String {
        switch self {
        case .patternWithoutText:
            "Schema '\(schema)' has a pattern whose expression has no text. Write it as a literal, /.../, or with "
                + "Regex(\"...\")."
        case .twoPatterns(let first, let second):
            "Schema '\(schema)' puts two patterns on one string, /\(first)/ and /\(second)/. Combine them into one."
        case .limitDoesNotFit(let limit, let form):
            "Schema '\(schema)' puts the guide '\(limit)' on \(form), which it does not fit. Remove the guide."
        case .emptyChoices:
            "Schema '\(schema)' offers a choice of nothing. Give it at least one choice."
        }
    }
}

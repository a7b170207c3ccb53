/// A place in a template: line and column from 1, the column in characters (Unicode scalars).
package struct TemplatePlace: Hashable, Sendable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    package var description: String { "line \(line), column \(column)" }
}

/// Why a template cannot be loaded or rendered, and where.
package struct TemplateError: Error, Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        // When it is loaded.
        case sourceTooLong(bytes: Int, limit: Int)
        case unexpectedCharacter(String)
        /// A comment, text, raw block or tag whose end is missing.
        case unterminated(String)
        case badEscape(String)
        case badNumber(String)
        case unbalanced(found: String, expected: String?)
        case unexpectedToken(found: String, expected: String)
        case unknownTag(String)
        case strayEndTag(String)
        case unclosedTag(tag: String, end: String)
        case unknownFilter(String, suggestion: String?)
        case unknownTest(String, suggestion: String?)
        case cannotAssign(String)
        case outsideLoop(String)
        case sourceTooDeep(limit: Int)
        // When it is rendered.
        /// The template itself refused its input: `raise_exception`.
        case raised(String)
        case undefined(String)
        case unsupported(operation: String, left: String, right: String)
        case wrongKind(operation: String, kind: String)
        case badArguments(function: String, problem: String)
        case notCallable(String)
        case unpack(expected: Int, actual: Int)
        case divisionByZero
        case integerOverflow
        case forbidden(String)
        case notJSON(String)
        case badFormat(String)
        case exhausted(TemplateBudget.Resource, limit: Int)
        case contextNotObject
    }

    package let cause: Cause
    /// Nil when the whole template or the context is meant.
    package let place: TemplatePlace?

    package init(_ cause: Cause, at place: TemplatePlace?) {
        (self.cause, self.place) = (cause, place)
    }

    /// The text that the template gave to `raise_exception`.
    package var raisedText: String? {
        if case .raised(let text) = cause { text } else { nil }
    }
}

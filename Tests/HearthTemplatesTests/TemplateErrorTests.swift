import HearthJSON
import HearthTemplates
import Testing

@Suite struct TemplateErrorTests {
    static let words: [(TemplateError.Cause, String)] = [
        (.unexpectedCharacter("$"), "`$` cannot stand in an expression."),
        (.unterminated("the comment"), "the comment is not closed. Add its end."),
        (.badEscape("\\xg"), "the escape `\\xg` names no character."),
        (.badNumber("99999999999999999999"), "`99999999999999999999` is no number that fits 64 bits."),
        (.unbalanced(found: ")", expected: nil), "`)` closes nothing."),
        (.unbalanced(found: ")", expected: "]"), "found `)` where `]` should close the bracket."),
        (.unexpectedToken(found: "`%}`", expected: "an expression"), "found `%}` where an expression should stand."),
        (
            .unknownTag("frob"),
            "tag `frob` is unknown. Chat templates have if, for, set, macro, call, filter, with, print, raw, break, "
                + "continue and generation."
        ),
        (.strayEndTag("endif"), "tag `endif` ends nothing that is open here."),
        (.unclosedTag(tag: "if", end: "endif"), "tag `if` is not closed before the end. Add `{% endif %}`."),
        (.unknownFilter("tojsn", suggestion: "tojson"), "filter `tojsn` is unknown. Did you mean `tojson`?"),
        (.unknownFilter("frobnicate", suggestion: nil), "filter `frobnicate` is unknown."),
        (.unknownTest("strng", suggestion: "string"), "test `strng` is unknown. Did you mean `string`?"),
        (.unknownTest("frobnicated", suggestion: nil), "test `frobnicated` is unknown."),
        (.cannotAssign("`1`"), "`1` cannot be assigned to. Assign to a name, or to an attribute of a namespace."),
        (.outsideLoop("break"), "tag `break` stands outside a loop."),
        (.sourceTooDeep(limit: 64), "expressions and tags are more than 64 deep. Split them up."),
        (.raised("no"), "it refuses this conversation: no"),
        (.undefined("`x` is undefined"), "`x` is undefined. Give it a value, or test it with `is defined`."),
        (.unsupported(operation: "+", left: "a text", right: "none"), "a text + none has no meaning."),
        (.wrongKind(operation: "`length`", kind: "none"), "`length` does not work on none."),
        (.badArguments(function: "join", problem: "needs `d`"), "`join` needs `d`."),
        (.notCallable("a text"), "a text is called, but is no function."),
        (.unpack(expected: 2, actual: 3), "3 values are unpacked into 2 names."),
        (.divisionByZero, "a number is divided by zero."),
        (.integerOverflow, "an integer does not fit 64 bits."),
        (
            .forbidden("`append`, which changes a list,"),
            "`append`, which changes a list, is not allowed in a chat template."
        ),
        (.notJSON("a generator"), "`tojson` cannot write a generator."),
        (.badFormat("ends after `%`"), "the format ends after `%`."),
        (.exhausted(.steps, limit: 5), "it used up its 5 steps. Does it loop without end?"),
        (.exhausted(.depth, limit: 5), "it used up its 5 levels of calls and nested tags. Does it loop without end?"),
        (.exhausted(.output, limit: 5), "it used up its 5 bytes of output. Does it loop without end?"),
        (.exhausted(.memory, limit: 5), "it used up its 5 bytes of working texts and lists. Does it loop without end?"),
        (.exhausted(.time, limit: 5), "it used up its 5 milliseconds. Does it loop without end?"),
        (.exhausted(.nesting, limit: 5), "it used up its 5 levels of values inside values. Does it loop without end?"),
    ]

    @Test("each cause has its words", arguments: words)
    func complete(_ cause: TemplateError.Cause, _ text: String) {
        let error = TemplateError(cause, at: TemplatePlace(line: 14, column: 9))
        #expect("\(error)" == "The template stops at line 14, column 9: " + text)
    }

    @Test("causes without a place speak of the whole template") func whole() {
        #expect(
            "\(TemplateError(.sourceTooLong(bytes: 9, limit: 5), at: nil))"
                == "The template has 9 bytes; at most 5 are read. Check that the file holds a chat template.")
        #expect(
            "\(TemplateError(.contextNotObject, at: nil))"
                == "The template needs an object of variables to render, such as {\"messages\": [...]}.")
    }

    /// What is wrong with a source or a rendering, and where.
    static let sources: [(String, TemplateError.Cause, Int, Int)] = [
        ("{{ $ }}", .unexpectedCharacter("$"), 1, 4),
        ("a {# b", .unterminated("the comment"), 1, 3),
        ("{{ 'a", .unterminated("the text"), 1, 4),
        ("{{ a", .unterminated("`{{`"), 1, 1),
        ("{% raw %}x", .unterminated("the raw block"), 1, 1),
        (#"{{ '\xg' }}"#, .badEscape(#"\x"#), 1, 5),
        (#"{{ '\ud800' }}"#, .badEscape(#"\ud800"#), 1, 5),
        ("{{ 99999999999999999999 }}", .badNumber("99999999999999999999"), 1, 4),
        ("{{ (a] }}", .unbalanced(found: "]", expected: ")"), 1, 6),
        ("{{ a) }}", .unbalanced(found: ")", expected: nil), 1, 5),
        ("{{ }}", .unexpectedToken(found: "`}}`", expected: "an expression"), 1, 4),
        ("{{ a b }}", .unexpectedToken(found: "`b`", expected: "`}}`"), 1, 6),
        ("{% if a %}\n{% endfor %}", .strayEndTag("endfor"), 2, 4),
        ("x\n {% if a %}", .unclosedTag(tag: "if", end: "endif"), 2, 5),
        ("{{ a|tojsn }}", .unknownFilter("tojsn", suggestion: "tojson"), 1, 6),
        ("{{ a is strng }}", .unknownTest("strng", suggestion: "string"), 1, 9),
        ("{% set 1 = 2 %}", .cannotAssign("`1`"), 1, 8),
        ("{% break %}", .outsideLoop("break"), 1, 4),
        ("{% macro m() %}{% break %}{% endmacro %}", .outsideLoop("break"), 1, 19),
        ("{% block a %}{% endblock %}", .unknownTag("block"), 1, 4),
        ("{{ 'a' + none }}", .unsupported(operation: "+", left: "a text", right: "none"), 1, 8),
        ("{{ none|length }}", .wrongKind(operation: "`length`", kind: "none"), 1, 9),
        ("{{ [1]|join(1, 2, 3) }}", .badArguments(function: "join", problem: "takes at most 2 values, not 3"), 1, 8),
        ("{{ 'a'() }}", .notCallable("a text"), 1, 7),
        ("{% for a, b in [[1, 2, 3]] %}{% endfor %}", .unpack(expected: 2, actual: 3), 1, 16),
        ("{{ 1 // 0 }}", .divisionByZero, 1, 6),
        ("{{ 9223372036854775807 + 1 }}", .integerOverflow, 1, 24),
        ("{{ [].append(1) }}", .forbidden("`append`, which changes a list,"), 1, 13),
        ("{{ ''.__class__.x }}", .forbidden("the attribute `__class__`"), 1, 16),
        ("{{ ([1]|map('string'))|tojson }}", .notJSON("a generator"), 1, 24),
        ("{{ '%d' % 'x' }}", .badFormat("cannot write a text as `%d`"), 1, 9),
        ("{{ range(1000000) }}", .badArguments(function: "range", problem: "is longer than 100000 numbers"), 1, 9),
        ("{% if true %}{{ 1|nosuch }}{% endif %}", .unknownFilter("nosuch", suggestion: nil), 1, 19),
    ]

    @Test("errors say what is wrong and where", arguments: sources)
    func places(_ source: String, _ cause: TemplateError.Cause, _ line: Int, _ column: Int) {
        do throws(TemplateError) {
            let prompt = try Template(source: source).render([:])
            Issue.record("gave \(prompt.text)")
        } catch {
            #expect(error == TemplateError(cause, at: TemplatePlace(line: line, column: column)))
        }
    }

    @Test("sources nested without end are refused, on the way in") func deepSources() throws {
        let parts = [
            ("(", ")"), ("[", "]"), ("{1:", "}"), ("- ", ""), ("not ", ""), ("a if b else ", ""), ("a(", ")"),
            ("a[", "]"),
        ]
        for (opening, closing) in parts {
            let source =
                "{{ " + String(repeating: opening, count: 20_000) + "a" + String(repeating: closing, count: 20_000)
                + " }}"
            let error = #expect(throws: TemplateError.self) { try Template(source: source) }
            #expect(error?.cause == .sourceTooDeep(limit: 64), "\(opening)")
        }
        let tags = #expect(throws: TemplateError.self) {
            try Template(source: String(repeating: "{% if a %}", count: 20_000))
        }
        #expect(tags?.cause == .sourceTooDeep(limit: 64))
        let chain = "{{ a" + String(repeating: ".b", count: 5_000) + " }}"
        #expect(throws: TemplateError.self) { try Template(source: chain) }
        // Chains of one operator are flat.
        let sum = "{{ 1" + String(repeating: " + 1", count: 5_000) + " }}"
        #expect(try Template(source: sum).render([:]).text == "5001")
    }
}

/// Values at the ends of their range.
@Suite struct TemplateExtremeTests {
    static let sources: [(String, String?)] = [
        ("{% set m = -9223372036854775807 - 1 %}{{ m }}", "-9223372036854775808"),
        ("{% set m = -9223372036854775807 - 1 %}{{ m % -1 }}", "0"),
        ("{% set m = -9223372036854775807 - 1 %}{{ m // -1 }}", nil),
        ("{% set m = -9223372036854775807 - 1 %}{{ -m }}", nil),
        ("{% set m = -9223372036854775807 - 1 %}{{ m|abs }}", nil),
        (
            "{% set m = -9223372036854775807 - 1 %}{{ 'x'.center(m) }}{{ 'x'.zfill(m) }}{{ 'x' * m }}{{ 'abc'[m:] }}{{ 'abc'[::m] }}",
            "xxabcc"
        ),
        (
            "{{ 'abc'[::9223372036854775807] }}{{ [1, 2][9223372036854775807:] }}{{ 'abc'[2::9223372036854775807] }}",
            "a[]c"
        ),
        ("{{ range(1, 5, 9223372036854775807)|list }}", nil),
        ("{{ 9223372036854775807 in range(-5, 5) }}", "False"),
        ("{{ [1, 2]|batch(9223372036854775807)|list }}", "[[1, 2]]"),
        ("{{ [1, 2]|batch(9223372036854775807, 'x')|list }}", nil),
        ("{{ [1, 2]|slice(9223372036854775807)|list }}", nil),
        (
            "{{ 'a b'.split(' ', 9223372036854775807) }}{{ 'abc'.find('b', -9223372036854775807, 9223372036854775807) }}",
            "['a', 'b']1"
        ),
        ("{{ 1e308 * 10 }}{{ (1e308 * 10)|int }}{{ (1e308 * 10)|round(3) }}", "inf0inf"),
        ("{{ 2 ** 62 }}{{ 2.5|round(400) }}{{ 2.5|round(-400) }}", "46116860184273879042.50.0"),
        ("{{ 2 ** 63 }}", nil), ("{{ '%99999d' % 1 }}", nil), ("{{ '{:99999}'.format(1) }}", nil),
        ("{{ '\t'.expandtabs(9223372036854775807) }}", nil), ("{{ 'x'|indent(9223372036854775807) }}", nil),
        ("{{ 'x'|truncate(9223372036854775807, leeway=9223372036854775807) }}", "x"),
    ]

    @Test("the largest and smallest numbers give a value or an error, never a trap", arguments: sources)
    func extreme(_ source: String, _ expected: String?) throws {
        do throws(TemplateError) {
            #expect(try Template(source: source).render([:]).text == expected)
        } catch {
            #expect(expected == nil, "\(error)")
        }
    }
}

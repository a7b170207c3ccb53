import Foundation
import HearthTestSupport
import Testing

/// What the compiler prints for declarations that the macros cannot expand: each message whole.
@Suite struct MacroDiagnosticTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let source: String
        let message: String
        var testDescription: String { source }
    }

    static let rows = [
        Row(
            source: "@Generable final class A { var x: Int = 0 }",
            message: "'A' is a class; @Generable needs a struct or an enum. Move what the model fills in to a struct of its own."),
        Row(
            source: "@Generable enum B {}",
            message: "The enum 'B' has no cases, so the model has nothing to choose from. Add a case or remove @Generable."),
        Row(
            source: "func f() -> Int { 1 }\n@Generable struct C { var x = f() }",
            message: "The property 'x' of 'C' has no written type; @Generable reads types as they are written. Write 'x: Type'."),
        Row(
            source: "@Generable struct D { var x: (Int, Int) }",
            message: "The property 'x' of 'D' is a tuple, which has no schema. Make it a @Generable struct."),
        Row(
            source: "@Guide(description: \"d\") func g() {}",
            message: "@Guide belongs on a stored property of a @Generable struct. Move it there or remove it."),
        Row(
            source: "@Generable struct E { @Guide(description: \"d\") let x: Int = 3 }",
            message: "'x' already has its value and is never generated, so @Guide has no effect. Make it a 'var' or remove @Guide."),
        Row(
            source: "@Generable enum F { @Guide(description: \"d\") case a }",
            message: "@Guide cannot describe the case 'a'. Describe the enum in @Generable(description:) instead."),
        Row(
            source: "@Generable struct G { @Guide(description: \"d\") @Guide(description: \"e\") var x: Int }",
            message: "'x' is described twice. Keep one 'description:' among its @Guide attributes."),
        Row(
            source: "@Generable enum H: String { case a = \"b\", b }",
            message: "'H' has two cases with the text \"b\"; the model could not tell them apart. Give each its own raw value."),
        Row(
            source: "let yes = true\n@Generable(representNilExplicitlyInGeneratedContent: yes) struct I { var x: Int? }",
            message: "'representNilExplicitlyInGeneratedContent' must be written as a literal here: the macro reads it from the "
                + "source. Replace the expression by its value."),
    ]

    @Test("a declaration that cannot be expanded is told what is wrong and what to write instead", arguments: rows)
    func message(_ row: Row) async throws {
        let printed = try await TypeCheck.run("import FoundationModels\n\(row.source)\n")
        #expect(printed.contains("error: \(row.message)"), "\(printed)")
    }
}

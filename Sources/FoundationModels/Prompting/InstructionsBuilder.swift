/// Puts instructions together from strings, values, attachments, conditions and loops.
@resultBuilder
public struct InstructionsBuilder {
    public static func buildBlock<each I>(_ components: repeat each I) -> Instructions
    where repeat each I: InstructionsRepresentable {
        var parts: [PromptPart] = []
        for component in repeat each components { parts += component.instructionsRepresentation.parts }
        return Instructions(parts: parts)
    }

    public static func buildArray(_ instructions: [some InstructionsRepresentable]) -> Instructions {
        Instructions(parts: instructions.flatMap { $0.instructionsRepresentation.parts })
    }

    public static func buildEither(first component: some InstructionsRepresentable) -> Instructions {
        component.instructionsRepresentation
    }

    public static func buildEither(second component: some InstructionsRepresentable) -> Instructions {
        component.instructionsRepresentation
    }

    public static func buildOptional(_ instructions: Instructions?) -> Instructions {
        instructions ?? Instructions(parts: [])
    }

    public static func buildLimitedAvailability(_ instructions: some InstructionsRepresentable) -> Instructions {
        instructions.instructionsRepresentation
    }

    @_disfavoredOverload
    public static func buildExpression<I>(_ expression: I) -> I where I: InstructionsRepresentable {
        expression
    }

    public static func buildExpression(_ expression: Instructions) -> Instructions {
        expression
    }

    @available(
        *, unavailable,
        message:
            "Only values that conform to InstructionsRepresentable can stand in instructions; tools go to the session."
    )
    public static func buildExpression<T>(_ expression: T) -> Instructions {
        fatalError("unavailable")
    }
}

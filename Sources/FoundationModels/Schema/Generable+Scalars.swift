public import Foundation

extension Bool: Generable {
    public static var generationSchema: GenerationSchema { GenerationSchema(name: "Bool", root: .boolean) }

    public init(_ content: GeneratedContent) throws {
        guard case .bool(let value) = content.kind else { throw content.mismatch("a boolean") }
        self = value
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .bool(self), id: nil, isComplete: true) }

    public var promptRepresentation: Prompt { return Prompt(parts: [.text(generatedContent.jsonString)]) }

    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.text(generatedContent.jsonString)])
    }
}

extension Int: Generable {
    public static var generationSchema: GenerationSchema {
        GenerationSchema(name: "Int", root: .integer(minimum: nil, maximum: nil))
    }

    public init(_ content: GeneratedContent) throws {
        guard case .number(let value) = content.kind else { throw content.mismatch("a whole number") }
        if let whole = content.wholeNumber ?? Int64(exactly: value) {
            self = Int(whole)
        } else if value.rounded(.towardZero) == value {
            throw content.problem(.outOfRange(type: "Int", value: "\(value)"))
        } else {
            throw content.problem(.notWhole(value))
        }
    }

    public var generatedContent: GeneratedContent {
        GeneratedContent(kind: .number(Double(self)), id: nil, isComplete: true, wholeNumber: Int64(self))
    }

    public var promptRepresentation: Prompt { return Prompt(parts: [.text(generatedContent.jsonString)]) }

    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.text(generatedContent.jsonString)])
    }
}

extension Double: Generable {
    public static var generationSchema: GenerationSchema {
        GenerationSchema(name: "Double", root: .number(minimum: nil, maximum: nil))
    }

    public init(_ content: GeneratedContent) throws {
        guard case .number(let value) = content.kind else { throw content.mismatch("a number") }
        self = value
    }

    public var generatedContent: GeneratedContent { GeneratedContent(kind: .number(self), id: nil, isComplete: true) }

    public var promptRepresentation: Prompt { return Prompt(parts: [.text(generatedContent.jsonString)]) }

    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.text(generatedContent.jsonString)])
    }
}

extension Float: Generable {
    public static var generationSchema: GenerationSchema {
        GenerationSchema(name: "Float", root: .number(minimum: nil, maximum: nil))
    }

    public init(_ content: GeneratedContent) throws {
        guard case .number(let value) = content.kind else { throw content.mismatch("a number") }
        let narrow = Float(value)
        if narrow.isInfinite, value.isFinite { throw content.problem(.outOfRange(type: "Float", value: "\(value)")) }
        self = narrow
    }

    public var generatedContent: GeneratedContent {
        // By its shortest digits: 0.1 as Float is 0.1 in JSON, not 0.10000000149011612.
        GeneratedContent(kind: .number(Double("\(self)") ?? Double(self)), id: nil, isComplete: true)
    }

    public var promptRepresentation: Prompt { return Prompt(parts: [.text(generatedContent.jsonString)]) }

    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.text(generatedContent.jsonString)])
    }
}

extension Decimal: Generable {
    public static var generationSchema: GenerationSchema {
        GenerationSchema(name: "Decimal", root: .number(minimum: nil, maximum: nil))
    }

    public init(_ content: GeneratedContent) throws {
        guard case .number(let value) = content.kind else { throw content.mismatch("a number") }
        // By its shortest digits, so that 0.1 stays 0.1.
        guard let decimal = content.wholeNumber.map({ Decimal($0) }) ?? Decimal(string: "\(value)") else {
            throw content.problem(.outOfRange(type: "Decimal", value: "\(value)"))
        }
        self = decimal
    }

    public var generatedContent: GeneratedContent {
        // A number of JSON is a Double here: digits beyond the 17th are rounded.
        let double = Double("\(self)") ?? .nan
        return GeneratedContent(kind: .number(double), id: nil, isComplete: true, wholeNumber: Int64("\(self)"))
    }

    public var promptRepresentation: Prompt { return Prompt(parts: [.text(generatedContent.jsonString)]) }

    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.text(generatedContent.jsonString)])
    }
}

extension GeneratedContent {
    func mismatch(_ expected: String) -> ParsingError {
        problem(.wrongKind(expected: expected, found: kindName))
    }

    func problem(_ cause: ContentProblem) -> ParsingError {
        ParsingError(rawContent: jsonString, cause: cause)
    }
}

public import Foundation
package import HearthJSON
public import _StringProcessing

/// A limit on what may be generated for a value: a range, a pattern, a count.
public struct GenerationGuide<Value> {
    let limits: [SchemaLimit]

    fileprivate init(_ limits: SchemaLimit...) {
        self.limits = limits
    }
}

/// A limit as the schema keeps it.
package indirect enum SchemaLimit: Sendable {
    case constant(String)
    case anyOf([String])
    /// The pattern's text; nil when the expression was not written as one and cannot be printed.
    case pattern(String?)
    case minimum(JSON)
    case maximum(JSON)
    case minimumCount(Int)
    case maximumCount(Int)
    case element(SchemaLimit)
}

extension GenerationGuide where Value == String {
    public static func constant(_ value: String) -> GenerationGuide<String> { GenerationGuide(.constant(value)) }

    public static func anyOf(_ values: [String]) -> GenerationGuide<String> { GenerationGuide(.anyOf(values)) }

    /// The text must match the whole expression. An expression that was built rather than written as a literal has no
    /// text; using its schema ends with ``LanguageModelError/unsupportedGenerationGuide(_:)``.
    public static func pattern<Output>(_ regex: Regex<Output>) -> GenerationGuide<String> {
        GenerationGuide(.pattern(regex._literalPattern))
    }
}

extension GenerationGuide where Value == Int {
    public static func minimum(_ value: Int) -> GenerationGuide<Int> {
        GenerationGuide(.minimum(.integer(Int64(value))))
    }

    public static func maximum(_ value: Int) -> GenerationGuide<Int> {
        GenerationGuide(.maximum(.integer(Int64(value))))
    }

    public static func range(_ range: ClosedRange<Int>) -> GenerationGuide<Int> {
        GenerationGuide(.minimum(.integer(Int64(range.lowerBound))), .maximum(.integer(Int64(range.upperBound))))
    }
}

extension GenerationGuide where Value == Float {
    public static func minimum(_ value: Float) -> GenerationGuide<Float> {
        GenerationGuide(.minimum(value.generatedContent.json))
    }

    public static func maximum(_ value: Float) -> GenerationGuide<Float> {
        GenerationGuide(.maximum(value.generatedContent.json))
    }

    public static func range(_ range: ClosedRange<Float>) -> GenerationGuide<Float> {
        GenerationGuide(
            .minimum(range.lowerBound.generatedContent.json), .maximum(range.upperBound.generatedContent.json))
    }
}

extension GenerationGuide where Value == Double {
    public static func minimum(_ value: Double) -> GenerationGuide<Double> {
        GenerationGuide(.minimum(value.generatedContent.json))
    }

    public static func maximum(_ value: Double) -> GenerationGuide<Double> {
        GenerationGuide(.maximum(value.generatedContent.json))
    }

    public static func range(_ range: ClosedRange<Double>) -> GenerationGuide<Double> {
        GenerationGuide(
            .minimum(range.lowerBound.generatedContent.json), .maximum(range.upperBound.generatedContent.json))
    }
}

extension GenerationGuide where Value == Decimal {
    public static func minimum(_ value: Decimal) -> GenerationGuide<Decimal> {
        GenerationGuide(.minimum(value.generatedContent.json))
    }

    public static func maximum(_ value: Decimal) -> GenerationGuide<Decimal> {
        GenerationGuide(.maximum(value.generatedContent.json))
    }

    public static func range(_ range: ClosedRange<Decimal>) -> GenerationGuide<Decimal> {
        GenerationGuide(
            .minimum(range.lowerBound.generatedContent.json), .maximum(range.upperBound.generatedContent.json))
    }
}

extension GenerationGuide {
    public static func minimumCount<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
        GenerationGuide(.minimumCount(count))
    }

    public static func maximumCount<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
        GenerationGuide(.maximumCount(count))
    }

    public static func count<Element>(_ range: ClosedRange<Int>) -> GenerationGuide<[Element]>
    where Value == [Element] {
        GenerationGuide(.minimumCount(range.lowerBound), .maximumCount(range.upperBound))
    }

    public static func count<Element>(_ count: Int) -> GenerationGuide<[Element]> where Value == [Element] {
        GenerationGuide(.minimumCount(count), .maximumCount(count))
    }

    /// A guide for every element of an array.
    public static func element<Element>(_ guide: GenerationGuide<Element>) -> GenerationGuide<[Element]>
    where Value == [Element] {
        GenerationGuide<[Element]>(all: guide.limits.map(SchemaLimit.element))
    }

    private init(all limits: [SchemaLimit]) {
        self.limits = limits
    }
}

/// These exist so that `@Guide(.count(3))` type-checks where the element type is not named; the macro writes the guide
/// again for the property's own type. They are never called.
extension GenerationGuide where Value == [Never] {
    public static func minimumCount(_ count: Int) -> GenerationGuide<Value> { notCalled() }

    public static func maximumCount(_ count: Int) -> GenerationGuide<Value> { notCalled() }

    public static func count(_ range: ClosedRange<Int>) -> GenerationGuide<Value> { notCalled() }

    @_disfavoredOverload
    public static func count(_ count: Int) -> GenerationGuide<Value> { notCalled() }

    private static func notCalled() -> GenerationGuide<Value> {
        fatalError("A guide for arrays needs the type of the elements: write GenerationGuide<[Element]>.")
    }
}

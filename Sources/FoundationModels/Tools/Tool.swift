public import Foundation

/// Something the model may call: a name and a description for the model, and the work.
///
///     struct Weather: Tool {
///         let description = "The weather in a city"
///         @Generable struct Arguments { let city: String }
///         func call(arguments: Arguments) async throws -> String { "Rain in \(arguments.city)" }
///     }
///
/// Calls may run at the same time, also several of one tool.
public protocol Tool<Arguments, Output>: Sendable {
    associatedtype Output: PromptRepresentable
    associatedtype Arguments: ConvertibleFromGeneratedContent

    /// The name the model calls it by; the type's name unless given.
    var name: String { get }
    var description: String { get }
    /// The form of the arguments, read once when a session is made.
    var parameters: GenerationSchema { get }
    /// Whether the session's instructions hold the definition. Without it the model can still call the tool, for its
    /// definition goes along with every request.
    var includesSchemaInInstructions: Bool { get }

    @concurrent func call(arguments: Self.Arguments) async throws -> Self.Output
}

extension Tool {
    public var name: String { String(describing: Self.self) }

    public var includesSchemaInInstructions: Bool { true }
}

extension Tool where Self.Arguments: Generable {
    public var parameters: GenerationSchema { Arguments.generationSchema }
}

extension Tool where Self.Arguments == String {
    @available(*, unavailable, message: "A tool's arguments are an object; wrap the value in a Generable struct.")
    public var parameters: GenerationSchema { fatalError("unavailable") }
}

extension Tool where Self.Arguments == Int {
    @available(*, unavailable, message: "A tool's arguments are an object; wrap the value in a Generable struct.")
    public var parameters: GenerationSchema { fatalError("unavailable") }
}

extension Tool where Self.Arguments == Double {
    @available(*, unavailable, message: "A tool's arguments are an object; wrap the value in a Generable struct.")
    public var parameters: GenerationSchema { fatalError("unavailable") }
}

extension Tool where Self.Arguments == Float {
    @available(*, unavailable, message: "A tool's arguments are an object; wrap the value in a Generable struct.")
    public var parameters: GenerationSchema { fatalError("unavailable") }
}

extension Tool where Self.Arguments == Decimal {
    @available(*, unavailable, message: "A tool's arguments are an object; wrap the value in a Generable struct.")
    public var parameters: GenerationSchema { fatalError("unavailable") }
}

extension Tool where Self.Arguments == Bool {
    @available(*, unavailable, message: "A tool's arguments are an object; wrap the value in a Generable struct.")
    public var parameters: GenerationSchema { fatalError("unavailable") }
}

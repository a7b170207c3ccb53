public import _StringProcessing

/// Makes a struct or an enum that a model can fill in: its schema, its reading from and writing to generated content, and a
/// `PartiallyGenerated` form for streamed snapshots.
///
///     @Generable(description: "A day of a journey")
///     struct Day {
///         @Guide(description: "Two or three words") var title: String
///         @Guide(.count(3)) var stops: [String]
///         var weather: Weather?
///     }
///
/// Stored properties are read as they are written, so each needs a type. A property of type `GenerationID` is filled by the
/// framework. An enum is one text out of its cases' names or raw values; with associated values it is an object with the
/// case's name as its key, as `Codable` writes it.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil) =
    #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// As `Generable(description:)`; with `representNilExplicitlyInGeneratedContent`, nil is written as null rather than left out.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(description: String? = nil, representNilExplicitlyInGeneratedContent: Bool) =
    #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// As `Generable(description:)`, with a name for the schema other than the type's.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent))
@attached(member, names: arbitrary)
public macro Generable(
    name: String, description: String? = nil, representNilExplicitlyInGeneratedContent: Bool = false
) = #externalMacro(module: "FoundationModelsMacros", type: "GenerableMacro")

/// Describes a property of a `@Generable` struct to the model and limits its values.
@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
    #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro") where T: Generable

/// Describes a string property and gives the expression that it must match as a whole.
@attached(peer)
public macro Guide<RegexOutput>(description: String? = nil, _ guides: Regex<RegexOutput>) =
    #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro")

/// Describes a property of a `@Generable` struct to the model.
@attached(peer)
public macro Guide(description: String) = #externalMacro(module: "FoundationModelsMacros", type: "GuideMacro")

/// Makes a property of `SessionPropertyValues` with the value it begins with.
@attached(accessor)
@attached(peer, names: prefixed(__Key_))
public macro SessionPropertyEntry() =
    #externalMacro(module: "FoundationModelsMacros", type: "SessionPropertyEntryMacro")

/// What `SessionPropertyEntry` writes; not to be used by itself.
@attached(accessor)
public macro __SessionPropertyEntryDefaultValue() =
    #externalMacro(module: "FoundationModelsMacros", type: "SessionPropertyEntryDefaultValueMacro")

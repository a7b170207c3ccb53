public import FoundationModels

// What people write: each of these compiles only if the expansion does.

@Generable(description: "A city")
struct City: Equatable {
    var name: String
    @Guide(description: "Number of people", .minimum(1)) var population: Int
    var nickname: String?
    @Guide(.maximumCount(2)) @Guide(description: "Well-known places") let sights: [String]
    static let planet = "Earth"
    var shout: String { name.uppercased() }
    lazy var unused = 3
}

@Generable struct Empty {}

@Generable(name: "Renamed", description: "With a name of its own", representNilExplicitlyInGeneratedContent: true)
public struct Named: Sendable {
    public var `default`: Double?
    @Guide(/[A-Z]{3}-[0-9]{4}/) public var plate: String
    public var first, second: Bool
    public let fixed: Int = 4
}

@Generable
struct Person {
    var id: GenerationID
    var name: String
    var children: [Person]
    var home: Optional<City>

    @Generable
    struct Pet { var kind: Kind }

    @Generable
    enum Kind { case cat, dog, `default` }
    var pets: [Pet]
}

@Generable(description: "How it felt")
enum Mood: String, CaseIterable, Codable { case good = "very good", bad = "so-so", none }

@Generable
public enum Step: Equatable {
    case search(query: String, limit: Int?)
    case open(String)
    case stop
}

@Generable(description: "Private to this file") private struct Hidden { var text: String }

enum Outer {
    // Names of the framework do not capture a user's.
    struct Tool {}
    struct Prompt {}
    struct GeneratedContent {}
    @Generable fileprivate struct Inner { var value: Float }
}

/// The private ones, reached from the tests of other files.
enum Reach {
    static func hidden(_ json: String) throws -> String {
        try Hidden(FoundationModels.GeneratedContent(json: json)).text
    }
    static func inner(_ json: String) throws -> Float {
        try Outer.Inner(FoundationModels.GeneratedContent(json: json)).value
    }
}

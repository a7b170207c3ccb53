import Foundation
import HearthTestSupport

/// What Package.swift says, read as text: the names of its targets and what each may import.
///
/// Lines have the form `room("Name", on: ["Below", ...])`; `door` and `tests` likewise. Reading text keeps the test free
/// of a second package manager beside the one that runs it.
struct Manifest {
    struct Target {
        let name: String
        let dependencies: [String]
        let folder: String
        let isTest: Bool
    }

    let targets: [Target]

    init(text: String) {
        var found: [Target] = []
        for (call, isTest) in [
            ("room(", false), ("door(", false), ("plugin(", false), ("tests(", true),
            (".systemLibrary(", false),
        ] {
            for body in Manifest.arguments(of: call, in: text) {
                let strings = Manifest.strings(in: body)
                guard let name = strings.first, !body.contains("_ name: String") else { continue }
                let list = body.range(of: "on: [").map { start in
                    let rest = body[start.upperBound...]
                    return Manifest.strings(in: String(rest[..<(rest.firstIndex(of: "]") ?? rest.endIndex)]))
                }
                let path = body.range(of: "path: \"").map { start in
                    String(body[start.upperBound...].prefix { $0 != "\"" })
                }
                found.append(
                    Target(
                        name: name, dependencies: list ?? [],
                        folder: path ?? (isTest ? "Tests/\(name)" : "Sources/\(name)"), isTest: isTest))
            }
        }
        targets = found
    }

    static func ofThisPackage() throws -> Manifest {
        try Manifest(text: String(contentsOf: Fixtures.root.appending(path: "Package.swift"), encoding: .utf8))
    }

    /// The text between the parentheses of each call, nested ones included.
    private static func arguments(of call: String, in text: String) -> [String] {
        var bodies: [String] = []
        var rest = text[...]
        while let start = rest.range(of: call) {
            let isPartOfAName =
                start.lowerBound > text.startIndex && text[text.index(before: start.lowerBound)].isLetter
            var depth = 1
            var end = start.upperBound
            while end < text.endIndex, depth > 0 {
                if text[end] == "(" { depth += 1 }
                if text[end] == ")" { depth -= 1 }
                end = text.index(after: end)
            }
            if !isPartOfAName { bodies.append(String(text[start.upperBound..<end])) }
            rest = text[start.upperBound...]
        }
        return bodies
    }

    private static func strings(in text: String) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}

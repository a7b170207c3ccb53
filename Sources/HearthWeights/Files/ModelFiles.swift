import Foundation

/// Which files make up the model that a path means.
///
/// - a GGUF file, or the shards of a split one, whichever of them is named
/// - a folder with one of these
/// - a folder with `config.json` and safetensors, or one of its weight files
enum ModelFiles {
    case gguf(URL)
    /// In the order of their numbers.
    case shards([URL])
    /// The folder.
    case safetensors(URL)

    static func find(_ url: URL) throws(CheckpointError) -> ModelFiles {
        let path = url.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard isThere, isFolder.boolValue else {
            if isThere, url.pathExtension == "safetensors" { return .safetensors(url.deletingLastPathComponent()) }
            guard let name = ShardName(url.lastPathComponent), name.count > 1 else { return .gguf(url) }
            return .shards(try name.all(in: url.deletingLastPathComponent()))
        }
        return try find(in: url, names: try list(url))
    }

    /// - Parameter names: of the folder's files, in any order.
    static func find(in folder: URL, names: [String]) throws(CheckpointError) -> ModelFiles {
        let path = folder.path(percentEncoded: false)
        let weights = names.filter { $0.hasSuffix(".gguf") }.sorted()
        if weights.isEmpty {
            guard names.contains(where: { $0.hasSuffix(".safetensors") || $0.hasSuffix(".safetensors.index.json") }) else {
                throw CheckpointError(path, .noWeights)
            }
            return .safetensors(folder)
        }
        if weights.count == 1, ShardName(weights[0]).map({ $0.count == 1 }) ?? true {
            return .gguf(folder.appending(path: weights[0]))
        }
        let shards = weights.compactMap { ShardName($0) }
        guard shards.count == weights.count, let first = shards.first,
            shards.allSatisfy({ $0.stem == first.stem && $0.count == first.count })
        else { throw CheckpointError(path, .severalModels(weights)) }
        return .shards(try first.all(in: folder))
    }

    /// Every file whose change makes it another model.
    var all: [URL] {
        get throws(CheckpointError) {
            switch self {
            case .gguf(let file): [file]
            case .shards(let files): files
            case .safetensors(let folder):
                try Self.list(folder).filter { $0.hasSuffix(".safetensors") || $0.hasSuffix(".json") || $0.hasSuffix(".jinja") }
                    .sorted().map { folder.appending(path: $0) }
            }
        }
    }

    static func list(_ folder: URL) throws(CheckpointError) -> [String] {
        let path = folder.path(percentEncoded: false)
        do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw CheckpointError(path, .unreadable(error.localizedDescription))
        }
    }
}

/// The name of a shard, as in `qwen-00002-of-00005.gguf`: file names count from 1 (`llama_split_path` in llama.cpp).
struct ShardName: Equatable {
    let stem: String
    let number: Int
    let count: Int

    /// Nil for every other name.
    init?(_ fileName: String) {
        // "-00002-of-00005.gguf" is 20 bytes.
        guard fileName.utf8.count > 20, fileName.hasSuffix(".gguf") else { return nil }
        let tail = Array(fileName.utf8.suffix(20))
        func digits(_ range: Range<Int>) -> Int? {
            tail[range].allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: tail[range], as: UTF8.self)) : nil
        }
        guard tail[0] == UInt8(ascii: "-"), tail[6..<10].elementsEqual("-of-".utf8), let number = digits(1..<6),
            let count = digits(10..<15), number >= 1, number <= count
        else { return nil }
        stem = String(decoding: fileName.utf8.dropLast(20), as: UTF8.self)
        self.number = number
        self.count = count
    }

    /// The whole set, in the order of the numbers; throws for the first one that is missing.
    func all(in folder: URL) throws(CheckpointError) -> [URL] {
        var files: [URL] = []
        for number in 1...count {
            let name = "\(stem)-\(Self.five(number))-of-\(Self.five(count)).gguf"
            let file = folder.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
                throw CheckpointError(file.path(percentEncoded: false), .missingShard(number: number, of: count))
            }
            files.append(file)
        }
        return files
    }

    private static func five(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.utf8.count)) + text
    }
}

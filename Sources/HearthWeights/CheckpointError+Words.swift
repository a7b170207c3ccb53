import Foundation
import HearthKernelTypes

extension CheckpointError: CustomStringConvertible, LocalizedError {
    /// What happened, where, and what to do.
    package var description: String { "\(words) File \(file). \(advice)" }

    package var errorDescription: String? { description }

    private var words: String {
        switch cause {
        case .opening(let code): "The file cannot be opened: \(unsafe String(cString: strerror(code)))."
        case .notAFile: "This is a folder or device, not a file."
        case .mapping(let bytes, let code):
            "\(bytes) bytes cannot be mapped: \(unsafe String(cString: strerror(code)))."
        case .empty: "The file is empty."
        case .webPage: "The file holds a web page, as a failed download leaves it, and no model."
        case .pointerFile: "The file holds a Git LFS pointer in place of the model."
        case .olderFormat: "The file is in a format older than GGUF."
        case .notAModel(let start): "The file starts with the bytes \(hex(start)); a GGUF file starts with 47 47 55 46."
        case .unreadable(let reason): "The folder cannot be read: \(reason)."
        case .noWeights: "The folder holds no model: no .gguf and no .safetensors file."
        case .severalModels(let names): "The folder holds several models: \(names.prefix(3).joined(separator: ", "))."
        case .missingShard(let number, let count): "This is part \(number) of a model in \(count) files, and it is missing."
        case .wrongShard(let key, let actual, let expected): "`\(key)` is \(actual); by the other files it must be \(expected)."
        case .outsideFolder(let tensor, let file):
            "The index puts the tensor `\(tensor)` into \(file), which is no .safetensors file of this folder."
        case .headerLength(let length, let left):
            "The header is said to have \(length) bytes; \(left) are left, and 2 to \(SafetensorsReader.longestHeader) are allowed."
        case .badJSON(let reason): "This is not the JSON that is needed: \(reason)"
        case .badRecord(let tensor, let reason): "The tensor `\(tensor)` is wrong: \(reason)."
        case .unsupportedDType(let tensor, let dtype):
            "The tensor `\(tensor)` has type \(dtype); F32, F16 and BF16 are supported."
        case .unknownTensor(let tensor, let family): "A model of type \(family) has no place for the tensor `\(tensor)`."
        case .badSetting(let key, let value, let supported): "`\(key)` is \(value); supported: \(supported)."
        case .bigEndian(let version):
            "The file is big-endian (GGUF version \(version)) and cannot be used on this machine."
        case .version(let number): "The file has GGUF version \(number); versions 2 and 3 can be read."
        case .endsEarly(let what, let offset, let needs, let left):
            "The file ends too early: \(what) at offset \(offset) needs \(needs) bytes, and \(left) are left."
        case .lengthPastEnd(let what, let length, let offset, let left):
            "The length of \(what) is \(length) bytes, and \(left) are left at offset \(offset)."
        case .countPastEnd(let what, let count, let size, let offset, let left):
            "The file announces \(count) items of at least \(size) bytes for \(what), and \(left) bytes are left at offset \(offset)."
        case .longName(let what, let length):
            "The length of \(what) is \(length) bytes; at most \(GGUFReader.longestName) are allowed."
        case .notASCII(let what): "The text of \(what) is not ASCII."
        case .duplicateKey(let key): "The metadata key `\(key)` is there twice."
        case .unknownKind(let key, let number):
            "The value of `\(key)` has type number \(number); numbers 0 to 12 are known."
        case .tooDeep(let key, let deepest): "The value of `\(key)` nests arrays more than \(deepest) deep."
        case .badBool(let key, let value, let offset):
            "The value of `\(key)` has a truth value of \(value) at offset \(offset); 0 and 1 are allowed."
        case .badAlignment(let number): "`general.alignment` is \(number); a power of two from 8 on is needed."
        case .missingKey(let key): "The metadata key `\(key)` is missing."
        case .wrongType(let key, let actual, let expected): "`\(key)` is \(article(actual)); \(expected) is needed."
        case .notUTF8(let what): "The text of \(what) is not UTF-8."
        case .duplicateTensor(let name): "The tensor `\(name)` is there twice."
        case .tooManyDimensions(let tensor, let count):
            "The tensor `\(tensor)` has \(count) dimensions; at most \(GGUFReader.maxDimensions) are allowed."
        case .emptyTensor(let tensor, let dimensions):
            "The tensor `\(tensor)` has dimensions \(dimensions) and so no values."
        case .sizeOverflow(let tensor, let dimensions, let type):
            "The tensor `\(tensor)` has dimensions \(dimensions) of type \(type): more bytes than can be counted."
        case .partialBlock(let tensor, let columns, let type, let block):
            "The tensor `\(tensor)` has rows of \(columns) values; type \(type) needs a multiple of \(block)."
        case .unsupportedType(let tensor, _, let name?):
            "The tensor `\(tensor)` has type \(name), which is not supported."
        case .unsupportedType(let tensor, let number, nil):
            "The tensor `\(tensor)` has type number \(number), which is not known."
        case .misaligned(let tensor, let offset, let alignment):
            "The tensor `\(tensor)` has offset \(offset); a multiple of \(alignment) is needed."
        case .tensorPastEnd(let tensor, let end, let size):
            "The tensor `\(tensor)` ends at byte \(end), and the file has \(size)."
        case .overlap(let first, let second): "The tensors `\(first)` and `\(second)` share bytes."
        }
    }

    private var advice: String {
        switch cause {
        case .opening: "Check the path and the permissions."
        case .notAFile: "Give the path of a .gguf file."
        case .unreadable: "Check the permissions."
        case .noWeights: "Give a .gguf file, or a folder with one or with safetensors and config.json."
        case .severalModels: "Name the file that is meant."
        case .missingShard, .wrongShard: "Fetch all files of the set from the same place."
        case .unsupportedDType: "Convert the model to one of these."
        case .unknownTensor: "Leaving weights out would give wrong answers: check that `config.json` belongs to these weights."
        case .badSetting: "Choose a model without it, or check the file."
        case .outsideFolder, .headerLength, .badJSON, .badRecord:
            "The file is damaged or was made by a faulty program: fetch it again or get another one."
        case .mapping: "Free memory or address space, or use a smaller model."
        case .empty, .webPage, .tensorPastEnd: "Fetch the model again."
        case .pointerFile: "Fetch the model itself with `git lfs pull`."
        case .olderFormat, .version: "Convert the model to GGUF version 3 again."
        case .bigEndian: "Get or make a little-endian file."
        case .notAModel: "Check that this is a GGUF model."
        case .unsupportedType:
            "Use a file with types out of \(ElementType.allCases.map(\.name).joined(separator: ", "))."
        case .missingKey, .wrongType, .notUTF8: "Check that the file is a model, made by a current converter."
        case .endsEarly, .lengthPastEnd, .countPastEnd, .longName, .notASCII, .duplicateKey, .unknownKind, .tooDeep,
            .badBool,
            .badAlignment, .duplicateTensor, .tooManyDimensions, .emptyTensor, .sizeOverflow, .partialBlock,
            .misaligned, .overlap:
            "The file is damaged or was made by a faulty program: fetch it again or get another one."
        }
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }

    /// "UINT32" becomes "a UINT32", "array of STRING" becomes "an array of STRING".
    private func article(_ kind: String) -> String {
        kind.hasPrefix("a") || kind.hasPrefix("I") ? "an \(kind)" : "a \(kind)"
    }
}

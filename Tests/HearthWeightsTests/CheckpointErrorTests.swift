import Foundation
import HearthWeights
import Testing

@Suite("CheckpointError")
struct CheckpointErrorTests {
    static let types = "F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_NL, IQ4_XS, BF16, MXFP4"
    static let damaged = "The file is damaged or was made by a faulty program: fetch it again or get another one."

    /// Each cause with its whole text after the place.
    static let table: [(CheckpointError.Cause, String, String)] = [
        (
            .opening(errno: 2), "The file cannot be opened: No such file or directory.",
            "Check the path and the permissions."
        ),
        (.notAFile, "This is a folder or device, not a file.", "Give the path of a .gguf file."),
        (
            .mapping(bytes: 9, errno: 12), "9 bytes cannot be mapped: Cannot allocate memory.",
            "Free memory or address space, or use a smaller model."
        ),
        (.empty, "The file is empty.", "Fetch the model again."),
        (
            .webPage, "The file holds a web page, as a failed download leaves it, and no model.",
            "Fetch the model again."
        ),
        (
            .pointerFile, "The file holds a Git LFS pointer in place of the model.",
            "Fetch the model itself with `git lfs pull`."
        ),
        (.olderFormat, "The file is in a format older than GGUF.", "Convert the model to GGUF version 3 again."),
        (
            .notAModel(start: [0x50, 0x4B, 3, 4]),
            "The file starts with the bytes 50 4b 03 04; a GGUF file starts with 47 47 55 46.",
            "Check that this is a GGUF model."
        ),
        (
            .bigEndian(version: 3), "The file is big-endian (GGUF version 3) and cannot be used on this machine.",
            "Get or make a little-endian file."
        ),
        (
            .version(1), "The file has GGUF version 1; versions 2 and 3 can be read.",
            "Convert the model to GGUF version 3 again."
        ),
        (
            .endsEarly(what: "the version", offset: 4, needs: 4, left: 1),
            "The file ends too early: the version at offset 4 needs 4 bytes, and 1 are left.", damaged
        ),
        (
            .lengthPastEnd(what: "the value of k", length: 99, offset: 45, left: 55),
            "The length of the value of k is 99 bytes, and 55 are left at offset 45.", damaged
        ),
        (
            .countPastEnd(what: "tensor records", count: 7, size: 24, offset: 24, left: 0),
            "The file announces 7 items of at least 24 bytes for tensor records, and 0 bytes are left at offset 24.",
            damaged
        ),
        (
            .longName(what: "metadata key 1", length: 70_000),
            "The length of metadata key 1 is 70000 bytes; at most 65535 are allowed.", damaged
        ),
        (.notASCII(what: "metadata key 1"), "The text of metadata key 1 is not ASCII.", damaged),
        (.duplicateKey("k"), "The metadata key `k` is there twice.", damaged),
        (
            .unknownKind(key: "k", number: 13), "The value of `k` has type number 13; numbers 0 to 12 are known.",
            damaged
        ),
        (.tooDeep(key: "k", deepest: 4), "The value of `k` nests arrays more than 4 deep.", damaged),
        (
            .badBool(key: "k", value: 2, offset: 37),
            "The value of `k` has a truth value of 2 at offset 37; 0 and 1 are allowed.",
            damaged
        ),
        (.badAlignment(3), "`general.alignment` is 3; a power of two from 8 on is needed.", damaged),
        (
            .missingKey("k"), "The metadata key `k` is missing.",
            "Check that the file is a model, made by a current converter."
        ),
        (
            .wrongType(key: "k", actual: "INT64", expected: "a UINT32"), "`k` is an INT64; a UINT32 is needed.",
            "Check that the file is a model, made by a current converter."
        ),
        (
            .wrongType(key: "k", actual: "array of STRING", expected: "a STRING"),
            "`k` is an array of STRING; a STRING is needed.",
            "Check that the file is a model, made by a current converter."
        ),
        (
            .notUTF8(what: "the value of k"), "The text of the value of k is not UTF-8.",
            "Check that the file is a model, made by a current converter."
        ),
        (.duplicateTensor("t"), "The tensor `t` is there twice.", damaged),
        (.tooManyDimensions(tensor: "t", count: 5), "The tensor `t` has 5 dimensions; at most 4 are allowed.", damaged),
        (
            .emptyTensor(tensor: "t", dimensions: [8, 0]), "The tensor `t` has dimensions [8, 0] and so no values.",
            damaged
        ),
        (
            .sizeOverflow(tensor: "t", dimensions: [8, 9], type: "F32"),
            "The tensor `t` has dimensions [8, 9] of type F32: more bytes than can be counted.", damaged
        ),
        (
            .partialBlock(tensor: "t", columns: 16, type: "Q4_0", block: 32),
            "The tensor `t` has rows of 16 values; type Q4_0 needs a multiple of 32.", damaged
        ),
        (
            .unsupportedType(tensor: "t", number: 21, name: "IQ3_S"),
            "The tensor `t` has type IQ3_S, which is not supported.",
            "Use a file with types out of \(types)."
        ),
        (
            .unsupportedType(tensor: "t", number: 77, name: nil),
            "The tensor `t` has type number 77, which is not known.",
            "Use a file with types out of \(types)."
        ),
        (
            .misaligned(tensor: "t", offset: 4, alignment: 32),
            "The tensor `t` has offset 4; a multiple of 32 is needed.", damaged
        ),
        (
            .tensorPastEnd(tensor: "t", end: 200, size: 100), "The tensor `t` ends at byte 200, and the file has 100.",
            "Fetch the model again."
        ),
        (.overlap(first: "a", second: "b"), "The tensors `a` and `b` share bytes.", damaged),
        (.unreadable("no permission"), "The folder cannot be read: no permission.", "Check the permissions."),
        (
            .noWeights, "The folder holds no model: no .gguf and no .safetensors file.",
            "Give a .gguf file, or a folder with one or with safetensors and config.json."
        ),
        (.severalModels(["a.gguf", "b.gguf"]), "The folder holds several models: a.gguf, b.gguf.", "Name the file that is meant."),
        (
            .missingShard(number: 2, of: 3), "This is part 2 of a model in 3 files, and it is missing.",
            "Fetch all files of the set from the same place."
        ),
        (
            .wrongShard(key: "split.no", actual: 2, expected: 1), "`split.no` is 2; by the other files it must be 1.",
            "Fetch all files of the set from the same place."
        ),
        (
            .outsideFolder(tensor: "w", file: "\"../x.safetensors\""),
            "The index puts the tensor `w` into \"../x.safetensors\", which is no .safetensors file of this folder.", damaged
        ),
        (
            .headerLength(13, left: 12),
            "The header is said to have 13 bytes; 12 are left, and 2 to 100000000 are allowed.", damaged
        ),
        (.badJSON("It is no object."), "This is not the JSON that is needed: It is no object.", damaged),
        (.badRecord(tensor: "w", reason: "it has no `dtype`"), "The tensor `w` is wrong: it has no `dtype`.", damaged),
        (
            .unsupportedDType(tensor: "w", dtype: "F64"), "The tensor `w` has type F64; F32, F16 and BF16 are supported.",
            "Convert the model to one of these."
        ),
        (
            .unknownTensor(tensor: "w", family: "llama"), "A model of type llama has no place for the tensor `w`.",
            "Leaving weights out would give wrong answers: check that `config.json` belongs to these weights."
        ),
        (
            .badSetting(key: "hidden_act", value: "relu", supported: "silu"), "`hidden_act` is relu; supported: silu.",
            "Choose a model without it, or check the file."
        ),
    ]

    static func message(_ cause: CheckpointError.Cause) -> String { CheckpointError("m.gguf", cause).description }

    @Test("Each message says what happened, in which file and what to do", arguments: table.indices)
    func message(row: Int) {
        let (cause, words, advice) = Self.table[row]
        #expect(Self.message(cause) == "\(words) File m.gguf. \(advice)")
        #expect(CheckpointError("m.gguf", cause).errorDescription == Self.message(cause))
    }
}

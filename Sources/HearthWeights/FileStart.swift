/// What the first bytes of a file say it is, told before anything is mapped.
enum FileStart {
    /// Throws unless the file starts like a GGUF file.
    static func check(_ start: [UInt8], path: String) throws(CheckpointError) {
        if let refusal = refusal(start) { throw CheckpointError(path, refusal) }
    }

    private static func refusal(_ start: [UInt8]) -> CheckpointError.Cause? {
        if start.isEmpty { return .empty }
        if start.starts(with: "GGUF".utf8) { return nil }
        // The magics of ggml files before GGUF, as 32-bit numbers in the file's byte order, and the plain word.
        let older = ["GGML", "lmgg", "tjgg", "fmgg", "algg"]
        if older.contains(where: { start.starts(with: $0.utf8) }) { return .olderFormat }
        if start.starts(with: "version https://git-lfs".utf8) { return .pointerFile }
        // Servers put blanks or a byte order mark before the first tag.
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        let text = start.drop { blanks.contains($0) }.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
        if ["<!doctype", "<html", "<?xml"].contains(where: { text.starts(with: $0.utf8) }) { return .webPage }
        if start.count < 4 && "GGUF".utf8.starts(with: start) {
            return .endsEarly(what: "the magic GGUF", offset: 0, needs: 4, left: start.count)
        }
        return .notAModel(start: Array(start.prefix(4)))
    }
}

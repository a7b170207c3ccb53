extension ControlGroups {
    /// Bytes that this process may take before its group, or one above it, is full; nil for no limit.
    ///
    /// What a group holds of files, and of the system's notes on them, can be taken back and counts as room: a model that was just read would stand in its own way
    /// otherwise. Swap counts too, as far as the group and the machine have some.
    /// - Parameter swap: the machine's free swap, in bytes.
    func memoryRoom(swap: Int) -> Int? {
        let all =
            foldersOfVersion2.map { Self.roomOfVersion2($0, swap: swap) }
            + foldersOfVersion1("memory").map { Self.roomOfVersion1($0, swap: swap) }
        return all.compactMap { $0 }.min()
    }

    /// `memory.max` and `memory.swap.max` are `max` for no limit (the kernel's text on control groups, version 2, "Memory").
    private static func roomOfVersion2(_ folder: String, swap: Int) -> Int? {
        guard let limit = SystemFile.number(folder + "/memory.max"),
            let used = SystemFile.number(folder + "/memory.current")
        else { return nil }
        var swapRoom = swap
        if let most = SystemFile.number(folder + "/memory.swap.max") {
            swapRoom = min(swap, max(0, most.clampedSum(-max(0, SystemFile.number(folder + "/memory.swap.current") ?? 0))))
        }
        let files = fileBytes(folder, ["inactive_file", "active_file", "slab_reclaimable"])
        return room(limit: limit, used: used, files: files).clampedSum(swapRoom)
    }

    /// A limit near 2^63 is none; `memory.memsw` is memory and swap together, where the kernel counts that.
    private static func roomOfVersion1(_ folder: String, swap: Int) -> Int? {
        guard let limit = SystemFile.number(folder + "/memory.limit_in_bytes"), limit < unlimited,
            let used = SystemFile.number(folder + "/memory.usage_in_bytes")
        else { return nil }
        let files = fileBytes(folder, ["total_inactive_file", "total_active_file"])
        let plain = room(limit: limit, used: used, files: files).clampedSum(swap)
        guard let both = SystemFile.number(folder + "/memory.memsw.limit_in_bytes"), both < unlimited,
            let bothUsed = SystemFile.number(folder + "/memory.memsw.usage_in_bytes")
        else { return plain }
        return min(plain, room(limit: both, used: bothUsed, files: files))
    }

    /// Version 1 writes the largest whole number of pages for "no limit"; no machine has a quarter of it.
    private static let unlimited = Int.max / 4

    private static func room(limit: Int, used: Int, files: Int) -> Int {
        max(0, limit.clampedSum(-max(0, used.clampedSum(-files))))
    }

    /// The sum of some lines of `memory.stat`, which are `name bytes`.
    private static func fileBytes(_ folder: String, _ names: Set<Substring>) -> Int {
        (SystemFile.text(folder + "/memory.stat") ?? "").split(separator: "\n").reduce(0) { sum, line in
            let fields = line.split(separator: " ")
            guard fields.count == 2, names.contains(fields[0]), let bytes = Int(fields[1]) else { return sum }
            return sum.clampedSum(max(0, bytes))
        }
    }
}

extension Int {
    /// The sum, or the nearest number that an Int holds: the system's files are not ours to trust.
    func clampedSum(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

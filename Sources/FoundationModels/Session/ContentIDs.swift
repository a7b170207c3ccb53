import HearthLocks

/// Identities for the values of one answer. JSON grows at its end only, so the value that begins n-th in one snapshot
/// begins n-th in all.
final class ContentIDs: Sendable {
    private let ids = Locked<[GenerationID]>([])

    /// Gives the first identity, then the second, and so on.
    func counting() -> () -> GenerationID? {
        var next = 0
        return { [self] in
            defer { next += 1 }
            return ids.withLock { ids in
                while ids.count <= next { ids.append(GenerationID()) }
                return ids[next]
            }
        }
    }
}

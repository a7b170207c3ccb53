/// What the system says about the processors this process may use.
package struct ProcessorReadings: Sendable, Hashable {
    /// The physical core of each online logical processor; two logical processors of one core have equal values.
    package var cores: [Int: PhysicalCore]
    /// Logical processors of the affinity mask; nil where it cannot be read.
    package var affinity: Set<Int>?
    /// Logical processors of the cgroup's cpuset; nil where there is none.
    package var cpuset: Set<Int>?
    /// CPU time per wall time that the cgroup's quota allows, the least of its ancestors; nil for no limit.
    package var quota: Double?

    package init(cores: [Int: PhysicalCore], affinity: Set<Int>? = nil, cpuset: Set<Int>? = nil, quota: Double? = nil) {
        self.cores = cores
        self.affinity = affinity
        self.cpuset = cpuset
        self.quota = quota
    }
}

package struct PhysicalCore: Sendable, Hashable {
    package var package: Int
    package var core: Int

    package init(package: Int, core: Int) {
        self.package = package
        self.core = core
    }
}

/// How many workers a request gets by default, and why.
package struct ThreadCount: Sendable, Hashable {
    package let count: Int
    /// `2 physical cores, 1 by affinity, 0.5 by cgroup quota`.
    package let reason: String

    /// This process's, read once.
    package static let current = ThreadCount(.live())

    /// Physical cores that affinity and cpuset allow, no more than the quota rounded down, and at least one.
    package init(_ readings: ProcessorReadings) {
        let all = Set(readings.cores.values).count
        var reason = "\(all) physical core\(all == 1 ? "" : "s")"
        var allowed = Set(readings.cores.keys)
        func note(_ what: String, before: Int) {
            let now = Set(allowed.compactMap { readings.cores[$0] }).count
            if now != before { reason += ", \(now) by \(what)" }
        }
        if let affinity = readings.affinity {
            allowed.formIntersection(affinity)
            note("affinity", before: all)
        }
        if let cpuset = readings.cpuset {
            let before = Set(allowed.compactMap { readings.cores[$0] }).count
            allowed.formIntersection(cpuset)
            note("cpuset", before: before)
        }
        var count = Set(allowed.compactMap { readings.cores[$0] }).count
        if let quota = readings.quota {
            reason += ", \((quota * 100).rounded() / 100) by cgroup quota"
            // A quota above any count of cores limits nothing; the comparison keeps the conversion in range.
            if quota < Double(count) { count = Int(quota.rounded(.down)) }
        }
        self.count = max(count, 1)
        self.reason = reason
    }
}

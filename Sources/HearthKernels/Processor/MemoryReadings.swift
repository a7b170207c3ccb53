#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What the system says about the memory that this process may still take.
package struct MemoryReadings: Sendable, Hashable {
    /// Bytes that the machine can give, swap included; nil where it does not say.
    package var machine: Int?
    /// Bytes until the control group is full; nil for no limit.
    package var group: Int?

    package init(machine: Int? = nil, group: Int? = nil) {
        self.machine = machine
        self.group = group
    }

    /// `HEARTH_MEMORY_CHECK=0` in the environment: nothing is read, and so nothing refused. For machines whose memory gives way
    /// without the system's knowing (the cache of ZFS).
    package static let isWanted = unsafe getenv("HEARTH_MEMORY_CHECK").map { unsafe String(cString: $0) } != "0"

    /// The readings now. `root` replaces `/` in tests.
    package static func live(root: String = "", isWanted: Bool = MemoryReadings.isWanted) -> MemoryReadings {
        #if os(Linux)
        guard isWanted else { return MemoryReadings() }
        var kilobytes: [Substring: Int] = [:]
        for line in (SystemFile.text(root + "/proc/meminfo") ?? "").split(separator: "\n") {
            // `MemAvailable:   23471232 kB`
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count == 3, fields[2] == "kB", let count = Int(fields[1]), 0...(Int.max >> 10) ~= count else { continue }
            kilobytes[fields[0]] = count
        }
        let swap = (kilobytes["SwapFree:"] ?? 0) << 10
        return MemoryReadings(
            machine: kilobytes["MemAvailable:"].map { ($0 << 10).clampedSum(swap) },
            group: ControlGroups(root: root).memoryRoom(swap: swap))
        #else
        return MemoryReadings()
        #endif
    }
}

/// How much memory there is for a model, and who sets the limit.
package struct MemoryRoom: Sendable, Hashable {
    package enum Limit: Sendable, Hashable {
        case machine
        case group
    }

    package let byteCount: Int
    package let limit: Limit

    /// The smaller of what the machine and the control group can give; nil where neither says anything.
    package init?(_ readings: MemoryReadings) {
        if let group = readings.group, group <= readings.machine ?? .max {
            (byteCount, limit) = (group, .group)
        } else if let machine = readings.machine {
            (byteCount, limit) = (machine, .machine)
        } else {
            return nil
        }
    }
}

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension ProcessorReadings {
    /// The readings of this process now. `root` replaces `/` in tests.
    package static func live(root: String = "") -> ProcessorReadings {
        #if os(Linux)
        let online = SystemFile.text(root + "/sys/devices/system/cpu/online").map(cpuList)
            ?? Set(0..<max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1))
        var cores: [Int: PhysicalCore] = [:]
        for cpu in online {
            func number(_ file: String) -> Int? {
                SystemFile.number(root + "/sys/devices/system/cpu/cpu\(cpu)/topology/\(file)")
            }
            // A system that hides the topology gets one core per logical processor.
            cores[cpu] = PhysicalCore(package: number("physical_package_id") ?? 0, core: number("core_id") ?? 1_000_000 + cpu)
        }
        let groups = ControlGroups(root: root)
        return ProcessorReadings(
            cores: cores, affinity: affinityMask(root: root), cpuset: groups.cpuset, quota: groups.quota)
        #else
        var count: Int32 = 0
        var size = MemoryLayout<Int32>.size
        guard unsafe sysctlbyname("hw.physicalcpu", &count, &size, nil, 0) == 0, count > 0 else {
            return ProcessorReadings(cores: [0: PhysicalCore(package: 0, core: 0)])
        }
        let cores = (0..<Int(count)).map { ($0, PhysicalCore(package: 0, core: $0)) }
        return ProcessorReadings(cores: Dictionary(uniqueKeysWithValues: cores))
        #endif
    }

    /// The affinity mask as `/proc/self/status` prints it (`sched_getaffinity` is hidden from Swift behind a GNU macro).
    private static func affinityMask(root: String) -> Set<Int>? {
        let lines = (SystemFile.text(root + "/proc/self/status") ?? "").split(separator: "\n")
        return lines.first { $0.hasPrefix("Cpus_allowed_list:") }.map { cpuList(String($0.dropFirst(18))) }
    }

    /// The kernel's list format: `0-3,8,10-11`. What is no number is left out.
    package static func cpuList(_ text: String) -> Set<Int> {
        var result: Set<Int> = []
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first >= 0, last >= first, last < 1 << 20 else { continue }
            result.formUnion(first...last)
        }
        return result
    }
}

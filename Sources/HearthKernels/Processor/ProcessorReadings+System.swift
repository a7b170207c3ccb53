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
                SystemFile.text(root + "/sys/devices/system/cpu/cpu\(cpu)/topology/\(file)").flatMap(firstNumber)
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

    static func firstNumber(_ text: String) -> Int? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}

/// The limits that control groups of version 1 and 2 set for this process.
struct ControlGroups {
    let quota: Double?
    let cpuset: Set<Int>?

    /// Looks at the process's own group and at every group above it, below `root` + `/sys/fs/cgroup`.
    init(root: String) {
        var quota: Double?
        var cpuset: Set<Int>?
        let lines = (SystemFile.text(root + "/proc/self/cgroup") ?? "").split(separator: "\n")
        for line in lines {
            // `hierarchy:controllers:path`; version 2 is `0::path`.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].split(separator: ",")
            if fields[0] == "0" && fields[1].isEmpty {
                for mount in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
                    for folder in Self.folders(mount: root + mount, path: fields[2]) {
                        quota = Self.least(quota, SystemFile.text(folder + "/cpu.max").flatMap(Self.maximum))
                        cpuset = cpuset ?? Self.set(folder + "/cpuset.cpus.effective")
                    }
                }
            }
            if controllers.contains("cpu") {
                for folder in Self.folders(mount: root + "/sys/fs/cgroup/\(fields[1])", path: fields[2])
                    + Self.folders(mount: root + "/sys/fs/cgroup/cpu", path: fields[2])
                {
                    quota = Self.least(quota, Self.quotaOfVersion1(folder))
                }
            }
            if controllers.contains("cpuset") {
                for folder in Self.folders(mount: root + "/sys/fs/cgroup/cpuset", path: fields[2]) {
                    cpuset = cpuset ?? Self.set(folder + "/cpuset.effective_cpus") ?? Self.set(folder + "/cpuset.cpus")
                }
            }
        }
        self.quota = quota
        self.cpuset = cpuset
    }

    /// The group's folder and those above it, innermost first. A container that mounts its own group as the top of the
    /// file system has no folder of the host's path; the mount itself is the last of the list then.
    private static func folders(mount: String, path: Substring) -> [String] {
        var parts = path.split(separator: "/").filter { $0 != ".." }
        var result: [String] = []
        while !parts.isEmpty {
            result.append(mount + "/" + parts.joined(separator: "/"))
            parts.removeLast()
        }
        return result + [mount]
    }

    private static func least(_ a: Double?, _ b: Double?) -> Double? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }

    /// `cpu.max`: `max 100000` or `200000 100000`.
    private static func maximum(_ text: String) -> Double? {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard let quota = fields.first.flatMap({ Double($0) }), quota > 0 else { return nil }
        let period = fields.count > 1 ? Double(fields[1]) ?? 100_000 : 100_000  // 100 ms: the kernel's default period
        return period > 0 ? quota / period : nil
    }

    /// `cpu.cfs_quota_us` is -1 for no limit.
    private static func quotaOfVersion1(_ folder: String) -> Double? {
        guard let quota = SystemFile.text(folder + "/cpu.cfs_quota_us").flatMap(ProcessorReadings.firstNumber), quota > 0,
            let period = SystemFile.text(folder + "/cpu.cfs_period_us").flatMap(ProcessorReadings.firstNumber), period > 0
        else { return nil }
        return Double(quota) / Double(period)
    }

    private static func set(_ path: String) -> Set<Int>? {
        guard let text = SystemFile.text(path) else { return nil }
        let set = ProcessorReadings.cpuList(text)
        return set.isEmpty ? nil : set
    }
}

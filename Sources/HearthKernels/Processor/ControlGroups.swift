/// The limits that control groups of version 1 and 2 set for this process.
///
/// Each limit is looked for in the process's own group and in every group above it, below `root` + `/sys/fs/cgroup`.
struct ControlGroups {
    private let root: String
    /// One line of `/proc/self/cgroup`: `hierarchy:controllers:path`; version 2 is `0::path`.
    private let lines: [(controllers: Substring, path: Substring)]

    init(root: String) {
        self.root = root
        lines = (SystemFile.text(root + "/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0] == "0" || !fields[1].isEmpty else { return nil }
            return (fields[1], fields[2])
        }
    }

    // MARK: Processors

    /// CPU time per wall time, the least of all groups; nil for no limit.
    var quota: Double? {
        let all =
            foldersOfVersion2.map { SystemFile.text($0 + "/cpu.max").flatMap(Self.maximum) }
            + foldersOfVersion1("cpu").map(Self.quotaOfVersion1)
        return all.compactMap { $0 }.min()
    }

    /// The processors of the innermost group that names some; nil where none does.
    var cpuset: Set<Int>? {
        for folder in foldersOfVersion2 {
            if let set = Self.set(folder + "/cpuset.cpus.effective") { return set }
        }
        for folder in foldersOfVersion1("cpuset") {
            if let set = Self.set(folder + "/cpuset.effective_cpus") ?? Self.set(folder + "/cpuset.cpus") { return set }
        }
        return nil
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
        guard let quota = SystemFile.number(folder + "/cpu.cfs_quota_us"), quota > 0,
            let period = SystemFile.number(folder + "/cpu.cfs_period_us"), period > 0
        else { return nil }
        return Double(quota) / Double(period)
    }

    private static func set(_ path: String) -> Set<Int>? {
        guard let text = SystemFile.text(path) else { return nil }
        let set = ProcessorReadings.cpuList(text)
        return set.isEmpty ? nil : set
    }

    // MARK: Folders

    /// Groups of version 2 that the process is in, innermost first.
    var foldersOfVersion2: [String] {
        lines.filter(\.controllers.isEmpty).flatMap { line in
            ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].flatMap { Self.folders(mount: root + $0, path: line.path) }
        }
    }

    /// Groups of one controller of version 1 that the process is in, innermost first.
    func foldersOfVersion1(_ controller: Substring) -> [String] {
        lines.filter { $0.controllers.split(separator: ",").contains(controller) }.flatMap { line in
            var mounts = ["/sys/fs/cgroup/\(line.controllers)"]
            if line.controllers != controller { mounts.append("/sys/fs/cgroup/\(controller)") }
            return mounts.flatMap { Self.folders(mount: root + $0, path: line.path) }
        }
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
}

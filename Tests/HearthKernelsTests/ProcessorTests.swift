import Foundation
import HearthKernels
import HearthKernelTypes
import Testing

@Suite("ProcessorReadings")
struct ProcessorTests {
    struct Row: CustomTestStringConvertible {
        let name: String
        let readings: ProcessorReadings
        let count: Int
        let reason: String
        var testDescription: String { name }
    }

    static func cores(_ count: Int, threadsPerCore: Int = 1) -> [Int: PhysicalCore] {
        Dictionary(uniqueKeysWithValues: (0..<count * threadsPerCore).map { ($0, PhysicalCore(package: 0, core: $0 % count)) })
    }

    static let rows = [
        Row(name: "no limit", readings: .init(cores: cores(16)), count: 16, reason: "16 physical cores"),
        Row(name: "quota of two", readings: .init(cores: cores(16), quota: 2), count: 2, reason: "16 physical cores, 2.0 by cgroup quota"),
        Row(name: "affinity to four", readings: .init(cores: cores(16), affinity: [0, 1, 2, 3]), count: 4, reason: "16 physical cores, 4 by affinity"),
        Row(name: "half a processor", readings: .init(cores: cores(16), quota: 0.5), count: 1, reason: "16 physical cores, 0.5 by cgroup quota"),
        Row(name: "quota rounds down", readings: .init(cores: cores(16), quota: 3.9), count: 3, reason: "16 physical cores, 3.9 by cgroup quota"),
        Row(name: "quota above the cores", readings: .init(cores: cores(2), quota: 64), count: 2, reason: "2 physical cores, 64.0 by cgroup quota"),
        Row(name: "two threads a core", readings: .init(cores: cores(4, threadsPerCore: 2)), count: 4, reason: "4 physical cores"),
        Row(name: "both threads of one core", readings: .init(cores: cores(4, threadsPerCore: 2), affinity: [1, 5]), count: 1, reason: "4 physical cores, 1 by affinity"),
        Row(name: "cpuset inside affinity", readings: .init(cores: cores(8), affinity: [0, 1, 2, 3], cpuset: [2, 3, 4]), count: 2, reason: "8 physical cores, 4 by affinity, 2 by cpuset"),
        Row(name: "nothing left", readings: .init(cores: cores(2), affinity: [9]), count: 1, reason: "2 physical cores, 0 by affinity"),
        Row(name: "nothing known", readings: .init(cores: [:]), count: 1, reason: "0 physical cores"),
    ]

    @Test("T-85 the default number of threads follows cores, affinity, cpuset and quota", arguments: rows)
    func threadCount(row: Row) {
        let count = ThreadCount(row.readings)
        #expect(count.count == row.count)
        #expect(count.reason == row.reason)
    }

    /// A made-up system: files below a folder that stands for `/`.
    struct Host: CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        let count: Int
        var testDescription: String { name }
    }

    static let hosts = [
        Host(name: "v2, 200000 of 100000", files: ["proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/cpu.max": "200000 100000\n"], count: 2),
        Host(name: "v2, affinity to 4", files: ["proc/self/status": "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n"], count: 4),
        Host(name: "v2, max", files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"], count: 16),
        Host(name: "v2, 50000 of 100000", files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n"], count: 1),
        Host(name: "v2, a limit of the group above", files: ["proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "300000 100000\n", "sys/fs/cgroup/a/b/cpu.max": "max 100000\n"], count: 3),
        Host(name: "v2, path of the host inside a container", files: ["proc/self/cgroup": "0::/../../docker/1\n", "sys/fs/cgroup/cpu.max": "100000 50000\n"], count: 2),
        Host(name: "v2, cpuset", files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpuset.cpus.effective": "2,4-8\n"], count: 6),
        Host(name: "v1, quota", files: ["proc/self/cgroup": "3:cpu,cpuacct:/x\n2:cpuset:/x\n", "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us": "500000\n", "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us": "100000\n"], count: 5),
        Host(name: "v1, no limit, a cpuset", files: ["proc/self/cgroup": "3:cpu:/\n2:cpuset:/x\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n", "sys/fs/cgroup/cpuset/x/cpuset.cpus": "0-6\n"], count: 7),
        Host(name: "nonsense is no limit", files: ["proc/self/cgroup": "garbage\n0::/\n", "sys/fs/cgroup/cpu.max": "lots 0\n"], count: 16),
    ]

    @Test("T-85 the files of a 16-core host are read as its kernel writes them", arguments: hosts)
    func systemFiles(host: Host) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "hearth-host-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        var files = host.files
        files["sys/devices/system/cpu/online"] = "0-15\n"
        for cpu in 0..<16 {
            files["sys/devices/system/cpu/cpu\(cpu)/topology/core_id"] = "\(cpu % 8)\n"
            files["sys/devices/system/cpu/cpu\(cpu)/topology/physical_package_id"] = "\(cpu / 8)\n"
        }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        #expect(ThreadCount(.live(root: root.path)).count == host.count)
    }

    @Test("this machine has at least one thread and a reason for it")
    func live() {
        #expect(ThreadCount.current.count >= 1)
        #expect(ThreadCount.current.reason.contains("physical core"))
    }

    @Test("the kernel's processor lists are read, and what is no number is left out")
    func cpuLists() {
        #expect(ProcessorReadings.cpuList("0-3,8,10-11\n") == [0, 1, 2, 3, 8, 10, 11])
        #expect(ProcessorReadings.cpuList("") == [])
        #expect(ProcessorReadings.cpuList("x,3-1,99999999999,5") == [5])
    }
}

import Foundation
import HearthKernels
import Testing

@Suite("MemoryReadings")
struct MemoryReadingsTests {
    static let mega = 1 << 20
    static let machine = "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\nSwapFree:              0 kB\n"

    struct Host: CustomTestStringConvertible {
        let name: String
        var files: [String: String] = [:]
        var memory = MemoryReadingsTests.machine
        let room: Int
        var limit: MemoryRoom.Limit = .group
        var testDescription: String { name }
    }

    static let hosts = [
        Host(name: "no group", room: 8192, limit: .machine),
        Host(
            name: "swap counts", memory: "MemAvailable: 1048576 kB\nSwapFree: 524288 kB\n", room: 1536, limit: .machine),
        Host(
            name: "v2, a limit", files: ["proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/memory.max": "536870912\n", "sys/fs/cgroup/box/memory.current": "104857600\n"],
            room: 412),
        Host(
            name: "v2, what files take can be taken back",
            files: [
                "proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/memory.max": "536870912\n", "sys/fs/cgroup/box/memory.current": "524288000\n",
                "sys/fs/cgroup/box/memory.stat": "anon 104857600\nfile 419430400\ninactive_anon 1048576\ninactive_file 209715200\nactive_file 104857600\nslab_reclaimable 104857600\n",
            ], room: 412),
        Host(
            name: "v2, max", files: ["proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/memory.max": "max\n", "sys/fs/cgroup/box/memory.current": "104857600\n"],
            room: 8192, limit: .machine),
        Host(
            name: "v2, a limit of the group above",
            files: [
                "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/memory.max": "314572800\n", "sys/fs/cgroup/a/memory.current": "209715200\n",
                "sys/fs/cgroup/a/b/memory.max": "1073741824\n", "sys/fs/cgroup/a/b/memory.current": "1048576\n",
            ], room: 100),
        Host(
            name: "v2, a group that may swap, no more than the machine can",
            files: [
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "104857600\n", "sys/fs/cgroup/memory.current": "0\n",
                "sys/fs/cgroup/memory.swap.max": "max\n",
            ], memory: "MemAvailable: 8388608 kB\nSwapFree: 51200 kB\n", room: 150),
        Host(
            name: "v2, a group that may not swap",
            files: [
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "104857600\n", "sys/fs/cgroup/memory.current": "0\n",
                "sys/fs/cgroup/memory.swap.max": "0\n", "sys/fs/cgroup/memory.swap.current": "0\n",
            ], memory: "MemAvailable: 8388608 kB\nSwapFree: 51200 kB\n", room: 100),
        Host(
            name: "v2, a limit above what the machine has",
            files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "17179869184\n", "sys/fs/cgroup/memory.current": "0\n"],
            room: 8192, limit: .machine),
        Host(
            name: "v2, more in use than a lowered limit", files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n", "sys/fs/cgroup/memory.current": "2097152\n"],
            room: 0),
        Host(
            name: "v1, a limit",
            files: [
                "proc/self/cgroup": "4:memory:/x\n2:cpuset:/x\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "536870912\n",
                "sys/fs/cgroup/memory/x/memory.usage_in_bytes": "209715200\n",
                "sys/fs/cgroup/memory/x/memory.stat": "inactive_file 1\ntotal_inactive_file 104857600\ntotal_active_file 0\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/memory.usage_in_bytes": "1\n",
            ], room: 412),
        Host(
            name: "v1, memory and swap together",
            files: [
                "proc/self/cgroup": "4:memory:/x\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "104857600\n", "sys/fs/cgroup/memory/x/memory.usage_in_bytes": "0\n",
                "sys/fs/cgroup/memory/x/memory.memsw.limit_in_bytes": "125829120\n", "sys/fs/cgroup/memory/x/memory.memsw.usage_in_bytes": "0\n",
            ], memory: "MemAvailable: 8388608 kB\nSwapFree: 51200 kB\n", room: 120),
        Host(
            name: "v1, no limit",
            files: [
                "proc/self/cgroup": "4:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                "sys/fs/cgroup/memory/memory.usage_in_bytes": "104857600\n",
            ], room: 8192, limit: .machine),
        Host(
            name: "nonsense is no limit",
            files: ["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "lots\n", "sys/fs/cgroup/memory.current": "-5\n"],
            memory: "MemAvailable: 8388608 kB\nSwapFree: -1 kB\nMemAvailable\n", room: 8192, limit: .machine),
        Host(
            name: "numbers near the end of an Int do not trap",
            files: [
                "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "9223372036854775807\n", "sys/fs/cgroup/memory.current": "-9223372036854775808\n",
                "sys/fs/cgroup/memory.stat": "inactive_file 9223372036854775807\nactive_file 9223372036854775807\n",
                "sys/fs/cgroup/memory.swap.max": "9223372036854775807\n", "sys/fs/cgroup/memory.swap.current": "-1\n",
            ], room: 8192, limit: .machine),
    ]

    @Test("the room for a model is the smaller of the machine's and its control group's, as their files say", arguments: hosts)
    func rooms(host: Host) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "hearth-host-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        var files = host.files
        files["proc/meminfo"] = host.memory
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        let room = try #require(MemoryRoom(.live(root: root.path)))
        #expect((room.byteCount / Self.mega, room.limit) == (host.room, host.limit))
    }

    @Test("a system that says nothing sets no limit, and this machine has some memory")
    func nothing() throws {
        #expect(MemoryRoom(.live(root: "/no/such/place")) == nil)
        #expect(try #require(MemoryRoom(.live(isWanted: true))).byteCount > 0)
        #expect(MemoryRoom(.live(isWanted: false)) == nil)
    }
}

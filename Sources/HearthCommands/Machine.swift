import Foundation

/// What the system says about this machine.
package enum Machine {
    /// As the kernel names the processor, or "unknown".
    package static var processorName: String {
        guard let bytes = FileManager.default.contents(atPath: "/proc/cpuinfo"),
            let text = String(data: bytes, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
            let name = line.split(separator: ":", maxSplits: 1).last
        else { return "unknown" }
        return name.trimmingCharacters(in: .whitespaces)
    }
}

public import FoundationModels

/// What a run of ``Conformance`` found.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// One request and what came of it.
    public struct ProbeResult: Sendable {
        public let name: String
        public let events: [LanguageModelExecutorGenerationChannel.Event]
        public let failure: (any Error)?
        public let findings: [Finding]
    }

    public internal(set) var probes: [ProbeResult] = []
    public internal(set) var findings: [Finding] = []

    public var isClean: Bool { findings.isEmpty }

    public var pitfalls: Set<Pitfall> { Set(findings.map(\.pitfall)) }

    mutating func add(_ result: ProbeResult) {
        probes.append(result)
        findings += result.findings
    }

    /// A line for each finding, and one that counts.
    public var description: String {
        let events = probes.reduce(0) { $0 + $1.events.count }
        let lines = findings.map(\.description)
        return (lines + ["\(findings.count) findings in \(probes.count) requests with \(events) events"])
            .joined(separator: "\n")
    }
}

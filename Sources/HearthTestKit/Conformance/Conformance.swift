public import FoundationModels

/// Runs a model as a session would, and finds the mistakes that provider packages make.
///
///     let report = await Conformance { MyLanguageModel(name: "m", apiKey: "k", baseURL: stub.url) }.run()
///     #expect(report.isClean, "\(report)")
///
/// It asks for plain text (with prewarm and without), continues a conversation, asks for what the model declares (tools,
/// a schema, reasoning, an image), and cancels a request. Every event goes through an ``EventAudit``. The model may be a
/// real one or may stand before a stub of its server. What a server receives is for the package's own tests.
public struct Conformance<Model: LanguageModel>: Sendable {
    public typealias Make = @Sendable () throws -> Model

    let make: Make
    let variants: [(name: String, make: Make)]
    /// How long a cancelled request may go on.
    public var patience: Duration

    /// - Parameters:
    ///   - variants: models that need another executor than the first, by what differs ("another account").
    ///   - make: makes the model; called several times, and always makes the same one.
    public init(
        variants: KeyValuePairs<String, Make> = [:], patience: Duration = .seconds(10), make: @escaping Make
    ) {
        self.make = make
        self.variants = variants.map { ($0.key, $0.value) }
        self.patience = patience
    }

    /// Runs all probes, one after the other. Never throws: what goes wrong is a finding.
    public func run() async -> ConformanceReport {
        var report = ConformanceReport()
        do {
            let model = try make()
            report.findings += ConfigurationAudit.findings(model, again: try make(), variants: variants)
            let before = model.executorConfiguration
            for probe in Probe.all(for: model.capabilities) {
                report.add(await run(probe, on: model))
            }
            report.findings += await sessionFindings(model)
            report.findings += await cancellationFindings(model)
            if model.executorConfiguration != before {
                report.findings.append(Finding(.configurationMoved, probe: "configuration"))
            }
        } catch {
            report.findings.append(Finding(.failed(reason: "\(error)"), probe: "making the model"))
        }
        return report
    }

    private func run(_ probe: Probe, on model: Model) async -> ConformanceReport.ProbeResult {
        let request = probe.request()
        let sink = RecordingChannel()
        var failure: (any Error)?
        do {
            let executor = try Model.Executor(configuration: model.executorConfiguration)
            if probe.prewarms { executor.prewarm(model: model, transcript: request.transcript) }
            try await sink.record { channel in
                try await executor.respond(to: request, model: model, streamingInto: channel)
            }
        } catch {
            failure = error
        }
        var audit = EventAudit(
            enabledTools: request.enabledToolDefinitions.map(\.name), transcript: request.transcript, probe: probe.name)
        for event in sink.events { audit.take(event) }
        _ = audit.finish()
        audit.note(probe.faults(audit, failure: failure, declared: model.capabilities))
        return ConformanceReport.ProbeResult(
            name: probe.name, events: sink.events, failure: failure, findings: audit.findings)
    }

    /// The same through a session, which puts the answer together.
    private func sessionFindings(_ model: Model) async -> [Finding] {
        do {
            let session = LanguageModelSession(model: model)
            try await session.respond(to: Probe.question, options: Probe.short)
            return []
        } catch {
            return [Finding(.failed(reason: "\(error)"), probe: "session")]
        }
    }

    private func cancellationFindings(_ model: Model) async -> [Finding] {
        let request = Probe.long()
        let sink = RecordingChannel()
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let answer = Task {
            do {
                let executor = try Model.Executor(configuration: model.executorConfiguration)
                try await sink.record { channel in
                    try await executor.respond(to: request, model: model, streamingInto: channel)
                }
            } catch {
                // However it ends: what counts is that it ends. Errors of plain requests are another probe's.
            }
            end.yield(true)
        }
        let patience = patience
        let watch = Task {
            // Until it has begun to answer, or for a second: a slow model is cancelled while it reads.
            for _ in 0..<200 where sink.events.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            answer.cancel()
            try await Task.sleep(for: patience)
            end.yield(false)
        }
        var hasEnded = false
        for await first in ends {
            hasEnded = first
            break
        }
        watch.cancel()
        if hasEnded { return [] }
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) / 1e18
        return [Finding(.slowToStop(seconds: seconds), probe: "cancellation")]
    }
}

extension Finding {
    init(_ fault: Fault, probe: String) {
        self.init(pitfall: fault.pitfall, probe: probe, event: nil, detail: fault.words)
    }
}

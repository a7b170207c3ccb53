import FoundationModels

extension Probe {
    /// What is wrong with an answer, beyond its single events.
    func faults(_ audit: EventAudit, failure: (any Error)?, declared: LanguageModelCapabilities) -> [Fault] {
        var faults: [Fault] = []
        if audit.usedReasoning, !declared.contains(.reasoning) { faults.append(.undeclared("reasoning")) }
        if let failure {
            let reason = "\(failure)"
            switch expectation {
            case .answer: return faults + [.failed(reason: reason)]
            case .toolCall: return faults + [.declaredRefused("toolCalling", reason: reason)]
            case .structure: return faults + [.declaredRefused("guidedGeneration", reason: reason)]
            case .reasoning: return faults + [.declaredRefused("reasoning", reason: reason)]
            case .vision: return faults + [.declaredRefused("vision", reason: reason)]
            }
        }
        guard audit.hasAnswer else { return faults + [.silent] }
        switch expectation {
        case .answer, .vision: return faults
        case .reasoning: return audit.usedReasoning ? faults : faults + [.declaredUnused("reasoning")]
        case .toolCall:
            guard !audit.callsMade.isEmpty else { return faults + [.declaredUnused("toolCalling")] }
            return faults + audit.callsMade.compactMap(argumentFault)
        case .structure: return faults + structureFaults(audit.answer)
        }
    }

    private func argumentFault(_ call: (name: String, arguments: String)) -> Fault? {
        guard call.name == Probe.tool.name else { return nil }
        do {
            _ = try ProbedPlace(GeneratedContent(json: call.arguments))
            return nil
        } catch {
            return .argumentsBroken(tool: call.name, reason: "\(error)")
        }
    }

    private func structureFaults(_ text: String) -> [Fault] {
        func broken(_ reason: String) -> [Fault] { [.schemaBroken(type: "ProbedCity", reason: reason, text: text)] }
        do {
            let content = try GeneratedContent(json: text)
            guard content.isComplete else { return broken("the JSON is not finished.") }
            let city = try ProbedCity(content)
            return city.neighbours.count == 2
                ? [] : broken("\(city.neighbours.count) neighbours, and 2 were asked for.")
        } catch {
            return broken("\(error)")
        }
    }
}

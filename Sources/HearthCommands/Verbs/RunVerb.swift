import Foundation
import HearthInference
import HearthJSON
import HearthLocal

/// `hearth run`: a prompt in, an answer out, piece by piece as it is made.
struct RunVerb {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() async throws -> ExitCode {
        if arguments.flag("--raw"), arguments.text("--system") != nil {
            throw CommandError.notTogether(
                verb: "run", "--system", "--raw", why: "a raw prompt has no template with a place for a system text")
        }
        if let prompt = arguments.operand, ModelArgument.isName(prompt) { CommandWarning.modelAsPrompt(prompt).say() }
        let text = try PromptText(arguments).read()
        let file = try ModelArgument.file(arguments.text("--model"))
        let options = try EngineArguments.options(arguments)
        let request = request(text)
        let asJSON = arguments.flag("--json")

        let (engine, reply) = try await Signals.shared.stoppable {
            let engine = try await LocalEngine.load(file: file, options: options)
            let weights = engine.generator.weights
            EngineArguments.warn(arguments, quantised: weights.quantised)
            if request.guesses > 0, let obstacle = try weights.obstacleToGuesses(request.sampling) {
                CommandWarning.draftDoesNothing(guesses: request.guesses, obstacle).say()
            }
            var reply = Reply()
            for try await event in engine.generate(request) {
                let shown = reply.take(event)
                // Each piece goes out as it comes; nothing waits in a buffer.
                if !asJSON, !shown.isEmpty { try StandardOutput.write(shown) }
            }
            return (engine, reply)
        }
        if asJSON {
            try StandardOutput.write(
                try reply.report(loadTime: engine.loadTime, context: engine.context).text(.compact) + "\n")
        } else {
            try StandardOutput.write("\n")
        }
        if reply.finishReason == .contextFull {
            CommandWarning.contextFull(
                context: engine.context, input: reply.usage.input, output: reply.usage.output,
                canGrow: engine.generator.weights.trainedContext.map { engine.context < $0 } ?? false
            ).say()
        }
        if arguments.flag("--stats") { StandardError.write(RunStatistics(engine, reply).text) }
        guard reply.finishReason == .cancelled else { return .done }
        return Signals.shared.asked?.code ?? .interrupted
    }

    /// What is asked of the engine; what is not asked is left to the model and the house.
    private func request(_ text: String) -> LocalRequest {
        let prompt: LocalRequest.Prompt
        if arguments.flag("--raw") {
            prompt = .raw(Array(text.utf8))
        } else {
            var messages: [JSON] = []
            if let system = arguments.text("--system") {
                messages.append(["role": "system", "content": .string(system)])
            }
            messages.append(["role": "user", "content": .string(text)])
            prompt = .messages(["messages": .array(messages)])
        }
        return LocalRequest(
            prompt: prompt,
            sampling: SamplingOptions(
                temperature: arguments.number("--temperature").map { Float($0) },
                topK: arguments.integer("--top-k"),
                topP: arguments.number("--top-p").map { Float($0) },
                minP: arguments.number("--min-p").map { Float($0) },
                repetitionPenalty: arguments.number("--repeat-penalty").map { Float($0) },
                seed: arguments.seed("--seed")),
            limit: arguments.integer("--max-tokens"),
            stops: arguments.all("--stop"), guesses: arguments.integer("--draft") ?? 0)
    }
}

import Foundation
import FoundationModels

// A program as its author writes it for Apple's platforms: nothing in this file knows where it runs.

actor Calendar {
    struct Event: Sendable, Equatable {
        let title: String
        let hour: Int
    }

    private(set) var events = [Event(title: "Dentist", hour: 9), Event(title: "Lunch with Ada", hour: 12)]

    func add(_ event: Event) { events.append(event) }
}

struct FindEventsTool: Tool {
    let name = "findEvents"
    let description = "Finds what is in the calendar between two hours of today."
    let calendar: Calendar

    @Generable
    struct Arguments {
        @Guide(description: "The first hour", .range(0...23))
        let from: Int
        @Guide(description: "The last hour", .range(0...23))
        let to: Int
    }

    func call(arguments: Arguments) async throws -> [String] {
        let hours = arguments.from...max(arguments.from, arguments.to)
        return await calendar.events.filter { hours.contains($0.hour) }.map { "\($0.hour):00 \($0.title)" }
    }
}

struct AddEventTool: Tool {
    let name = "addEvent"
    let description = "Puts something into today's calendar."
    let calendar: Calendar

    @Generable
    struct Arguments {
        let title: String
        @Guide(.range(0...23))
        let hour: Int
    }

    enum Failure: LocalizedError {
        case taken(hour: Int, by: String)

        var errorDescription: String? {
            switch self {
            case .taken(let hour, let title): "\(hour):00 is taken by \(title)."
            }
        }
    }

    func call(arguments: Arguments) async throws -> String {
        if let other = await calendar.events.first(where: { $0.hour == arguments.hour }) {
            throw Failure.taken(hour: arguments.hour, by: other.title)
        }
        await calendar.add(.init(title: arguments.title, hour: arguments.hour))
        return "Added \(arguments.title) at \(arguments.hour):00"
    }
}

@MainActor
final class ErrandAssistant {
    let calendar = Calendar()
    private let session: LanguageModelSession

    init(model: some LanguageModel) {
        session = LanguageModelSession(
            model: model, tools: [FindEventsTool(calendar: calendar), AddEventTool(calendar: calendar)],
            instructions: "You keep a calendar. Look before you add.")
    }

    func handle(_ request: String) async -> String {
        do {
            return try await session.respond(to: request).content
        } catch let error as LanguageModelSession.ToolCallError {
            return "\(error.tool.name) failed: \(error.underlyingError.localizedDescription)"
        } catch let error as LanguageModelError {
            if case .unsupportedCapability(let missing) = error, missing.capability == .toolCalling {
                return "This model cannot use the calendar."
            }
            return error.localizedDescription
        } catch {
            return error.localizedDescription
        }
    }

    /// Small talk, without the calendar.
    func chat(_ text: String) async throws -> String {
        let options = GenerationOptions(maximumResponseTokens: 24, toolCallingMode: .disallowed)
        return try await session.respond(to: text, options: options).content
    }

    /// What was done for the last request, for a log on the screen.
    var steps: [String] {
        session.transcript.flatMap { entry -> [String] in
            switch entry {
            case .toolCalls(let calls): calls.map { "called \($0.toolName) with \($0.arguments.jsonString)" }
            case .toolOutput(let output): ["\(output.toolName) gave \(output.segments.map(\.description).joined())"]
            default: []
            }
        }
    }
}

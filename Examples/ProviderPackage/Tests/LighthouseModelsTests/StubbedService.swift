import Foundation
import HearthTestKit

@testable import LighthouseModels

/// Says what it is told to, or answers whatever it is asked as the service would.
struct StubbedService: LighthouseClient {
    var lines: [String]?
    var pause: Duration?

    func lines(for call: LighthouseCall) -> AsyncThrowingStream<String, any Error> {
        let answer = lines ?? Self.answer(to: call.body)
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for line in answer {
                        continuation.yield(line)
                        if let pause { try await Task.sleep(for: pause) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    static func answer(to body: LighthouseBody) -> [String] {
        var lines = [#"{"type": "usage", "input": 12, "cached": 4, "output": 0, "thought": 0}"#]
        if body.effort != nil {
            lines.append(#"{"type": "thought", "text": "9.90 is more."}"#)
            lines.append(
                #"{"type": "thought_signature", "data": "\#(Data([0xFF, 0xC3, 0x28]).base64EncodedString())"}"#)
        }
        if body.schema != nil {
            let json =
                #"{\"name\": \"Oslo\", \"population\": 717710, \"isCapital\": true, \"neighbours\": [\"Asker\", \"Bærum\"]}"#
            lines.append(#"{"type": "text", "text": "\#(json)"}"#)
        } else if body.mustCallTool, let tool = body.tools.first {
            lines.append(#"{"type": "tool_start", "id": "c1", "name": "\#(tool.name)"}"#)
            lines.append(#"{"type": "tool_arguments", "id": "c1", "text": "{\"city\": "}"#)
            lines.append(#"{"type": "tool_arguments", "id": "c1", "text": "\"Oslo\"}"}"#)
        } else {
            lines += ["Re", "d."].map { #"{"type": "text", "text": "\#($0)"}"# }
        }
        return lines + [
            #"{"type": "usage", "input": 12, "cached": 4, "output": 6, "thought": 2}"#, #"{"type": "done"}"#,
        ]
    }
}

extension LighthouseLanguageModel {
    static func stub(_ lines: [String]? = nil, key: String = "sk-test", pause: Duration? = nil)
        -> LighthouseLanguageModel
    {
        LighthouseLanguageModel(
            name: "beam-1", apiKey: key, baseURL: URL(string: "https://lighthouse.example")!,
            client: StubbedService(lines: lines, pause: pause))
    }
}

extension RecordingChannel: EventSink {}

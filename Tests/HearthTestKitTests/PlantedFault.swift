import Foundation
import FoundationModels
import HearthTestKit
import Testing

/// Events that a careless provider sends, and what is said about them.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    typealias Event = LanguageModelExecutorGenerationChannel.Event

    let pitfall: Pitfall
    let events: [Event]
    let detail: String

    var testDescription: String { detail }

    init(_ pitfall: Pitfall, _ events: [Event], _ detail: String) {
        self.pitfall = pitfall
        self.events = events
        self.detail = detail
    }

    static func usage(_ input: Int, _ cached: Int, _ output: Int, _ reasoning: Int = 0) -> Event {
        .response(
            entryID: "r",
            action: .updateUsage(
                input: .init(totalTokenCount: input, cachedTokenCount: cached),
                output: .init(totalTokenCount: output, reasoningTokenCount: reasoning)))
    }

    static func text(_ text: String, segment: String? = nil) -> Event {
        .response(entryID: "r", action: .appendText(text, segmentID: segment, tokenCount: 1))
    }

    static func call(_ id: String, _ name: String, _ text: String) -> Event {
        .toolCalls(entryID: "c", action: .toolCall(id: id, name: name, action: .appendArguments(text, tokenCount: 1)))
    }

    static func tag(_ id: String, _ values: [String: any ConvertibleToGeneratedContent]) -> Event {
        .toolCalls(entryID: "c", action: .toolCall(id: id, name: "weather", action: .updateMetadata(values)))
    }

    static func thought(_ id: String?) -> Event {
        .reasoning(entryID: id, action: .appendText("Hm.", tokenCount: 1))
    }

    static func image(_ id: String) -> Transcript.AttachmentSegment {
        Transcript.AttachmentSegment(
            id: id, content: .image(.init(data: Data([0x89, 0x50]), mimeType: "image/png")))
    }

    static let all: [PlantedFault] = [
        // Z-01
        .init(
            .usageIsNotATotal, [usage(10, 0, 4), usage(0, 0, 5)],
            "The input total fell from 10 to 0. Send the totals of the request so far, not what was new."),
        .init(
            .usageIsNotATotal, [usage(10, 0, 1), text("a"), text("b"), usage(10, 0, 1)],
            "The output total stayed at 1 while 2 tokens were sent. Send the totals of the request so far, not what was new."
        ),
        .init(
            .usageIsNotATotal, [usage(10, 12, 1)],
            "12 cached tokens are more than the total of 10 that they are part of."),
        .init(
            .usageIsNotATotal, [usage(10, 0, 1, 3)],
            "3 reasoning tokens are more than the total of 1 that they are part of."),
        // Z-02
        .init(
            .metadataVanished,
            [
                .response(entryID: "r", action: .updateMetadata(["modelID": "m", "requestID": "1"])),
                .response(entryID: "r", action: .updateMetadata(["modelID": "m"])),
            ],
            "The new metadata leaves out 'requestID', which removes them. Send every key each time."),
        // Z-03
        .init(
            .toolCallWithoutName, [call("1", "weather", "{"), call("1", "", "}")],
            "The tool call '1' has no name in this event. Send the function's name with every event of a call."),
        .init(
            .toolCallWithoutName, [call("1", "weather", "{"), call("1", "clock", "}")],
            "The tool call '1' was 'weather' and is now 'clock'. Send the same name with every event of a call."),
        // Z-04
        .init(
            .callMetadataAfterArguments, [call("1", "weather", "{}"), tag("1", ["tag": "t"])],
            "Metadata of the tool call '1' came after its arguments. Send it before the first of them."),
        // Z-05
        .init(
            .argumentsRewritten, [call("1", "weather", #"{"city": "#), call("1", "weather", #"{"city": "Oslo"}"#)],
            "The arguments of '1' were sent again from their beginning. Send only what is new; it is appended."),
        .init(
            .argumentsRewritten, [call("1", "weather", "{}"), call("1", "weather", "{}")],
            "The arguments of '1' went on after their JSON had ended. Take a call back with removeToolCall, and begin "
                + "another."),
        .init(
            .argumentsRewritten, [call("1", "weather", #"{"city"#)],
            #"The request ended with the arguments of '1' being '{"city', which is not JSON. Take back a call that is given "#
                + "up with removeToolCall."),
        .init(
            .argumentsRewritten,
            [
                call("1", "weather", "{"), .toolCalls(entryID: "c", action: .removeToolCall(id: "1")),
                call("1", "weather", "}"),
            ],
            "The tool call '1' was taken back and then written to. Give the next call an id of its own."),
        .init(
            .argumentsRewritten, [.toolCalls(entryID: "c", action: .removeToolCall(id: "9"))],
            "The tool call '9' was taken back and had not been begun. Remove it by the id of its events."),
        // Z-06
        .init(
            .attachmentAddedTwice,
            [
                .response(entryID: "r", action: .addAttachmentSegment(image("i"))),
                .response(entryID: "r", action: .addAttachmentSegment(image("i"))),
            ],
            "The attachment 'i' was added twice, which makes two of them. Remove the first one before its successor."),
        .init(
            .attachmentAddedTwice, [.response(entryID: "r", action: .removeAttachmentSegment(id: "i"))],
            "The attachment 'i' was removed and is not there. Remove it by the id with which it was added."),
        // Z-07
        .init(
            .textSentAgain, [text("The sky is blue"), text("The sky is blue because")],
            "The text was sent again from its beginning. Send only what is new, or correct the segment with "
                + "replaceTextSegment."),
        .init(
            .textSentAgain, [text("teh\u{8}\u{8}he")],
            "The text holds a backspace. Correct what was sent with replaceTextSegment."),
        .init(
            .textSentAgain,
            [text("a"), .response(entryID: "r", action: .replaceTextSegment("b", segmentID: "s", tokenCount: 1))],
            "The segment 's' was replaced and is not there, which adds it. Replace it by the id of its first text."),
        // Z-08
        .init(
            .signatureDecoded,
            [
                .reasoning(
                    entryID: "t",
                    action: .updateSignature(Data(String(decoding: [0xFF, 0x41], as: UTF8.self).utf8), tokenCount: 0))
            ],
            "The signature holds the bytes EF BF BD, the mark of bytes that were read as UTF-8. Pass it on as Data."),
        // Z-09
        .init(
            .reasoningIDsMixed, [thought("t"), thought(nil)],
            "Reasoning events came with an entry id and without. Use one way for the whole request."),
        .init(
            .reasoningIDsMixed, [thought(nil), usage(8, 2, 1), thought(nil)],
            "Reasoning without an entry id went on after another event, which makes a second entry. Give it an id."),
        // Entry ids
        .init(
            .entryIDReused, [text("a"), .toolCalls(entryID: "r", action: .updateMetadata([:]))],
            "The entry id 'r' is used for two kinds of entries. Make an id for each."),
    ]
}

extension Fault {
    var words: String {
        switch self {
        case .usageFell(let field, let from, let to):
            "The \(field) total fell from \(from) to \(to). Send the totals of the request so far, not what was new."
        case .usageStood(let output, let deltas):
            "The output total stayed at \(output) while \(deltas) tokens were sent. Send the totals of the request so far, "
                + "not what was new."
        case .usageAboveTotal(let part, let value, let total):
            "\(value) \(part) tokens are more than the total of \(total) that they are part of."
        case .metadataKeysLost(let keys):
            "The new metadata leaves out \(list(keys)), which removes them. Send every key each time."
        case .callUnnamed(let id):
            "The tool call '\(id)' has no name in this event. Send the function's name with every event of a call."
        case .callRenamed(let id, let from, let to):
            "The tool call '\(id)' was '\(from)' and is now '\(to)'. Send the same name with every event of a call."
        case .callUnknown(let name, let known):
            "The model called '\(name)'; the request enables \(known.isEmpty ? "no tools" : list(known))."
        case .callMetadataLate(let id):
            "Metadata of the tool call '\(id)' came after its arguments. Send it before the first of them."
        case .argumentsRepeated(let id):
            "The arguments of '\(id)' were sent again from their beginning. Send only what is new; it is appended."
        case .argumentsAfterEnd(let id):
            "The arguments of '\(id)' went on after their JSON had ended. Take a call back with removeToolCall, and begin "
                + "another."
        case .argumentsUnfinished(let id, let text):
            "The request ended with the arguments of '\(id)' being '\(text)', which is not JSON. Take back a call that is "
                + "given up with removeToolCall."
        case .callChangedAfterRemoval(let id):
            "The tool call '\(id)' was taken back and then written to. Give the next call an id of its own."
        case .callRemovedUnopened(let id):
            "The tool call '\(id)' was taken back and had not been begun. Remove it by the id of its events."
        case .attachmentTwice(let id):
            "The attachment '\(id)' was added twice, which makes two of them. Remove the first one before its successor."
        case .attachmentRemovedUnknown(let id):
            "The attachment '\(id)' was removed and is not there. Remove it by the id with which it was added."
        case .textRepeated(let segment):
            "The text\(segment.map { " of the segment '\($0)'" } ?? "") was sent again from its beginning. Send only what is "
                + "new, or correct the segment with replaceTextSegment."
        case .textErased:
            "The text holds a backspace. Correct what was sent with replaceTextSegment."
        case .replacedUnknownSegment(let id):
            "The segment '\(id)' was replaced and is not there, which adds it. Replace it by the id of its first text."
        case .signatureReplacementCharacter:
            "The signature holds the bytes EF BF BD, the mark of bytes that were read as UTF-8. Pass it on as Data."
        case .reasoningMixed:
            "Reasoning events came with an entry id and without. Use one way for the whole request."
        case .reasoningSplit:
            "Reasoning without an entry id went on after another event, which makes a second entry. Give it an id."
        case .entryKinds(let id):
            "The entry id '\(id)' is used for two kinds of entries. Make an id for each."
        case .entryOfTranscript(let id):
            "The entry id '\(id)' is that of an entry of the request. Make a new id for every answer."
        case .undeclared(let capability):
            "The model used \(capability) and does not declare it. Declare what is used."
        case .declaredUnused(let capability):
            "\(capability) is declared, and a request that needs it was answered without it. Declare only what works."
        case .declaredRefused(let capability, let reason):
            "\(capability) is declared, and a request that needs it was refused: \(reason) Declare only what works."
        case .schemaBroken(let type, let reason, let text):
            "guidedGeneration is declared, and the answer '\(text)' is no \(type): \(reason) Declare it only where the "
                + "schema is obeyed strictly."
        case .argumentsBroken(let tool, let reason):
            "The arguments of the call to '\(tool)' do not fit its schema: \(reason)"
        case .configurationUnequal:
            "Two models that were made alike have different configurations, so each gets an executor of its own. Keep only "
                + "values that identify the resource."
        case .configurationSameForVariant(let name):
            "The variant '\(name)' has the configuration of the model it differs from, so they share an executor. Put what "
                + "differs into the configuration."
        case .configurationHolds(let path, let type):
            "The configuration holds \(type) at '\(path)', whose equality is not that of its value. Keep plain values, and "
                + "make the object in the executor."
        case .configurationMoved:
            "The configuration changed between two requests, which makes a new executor. Keep what changes in the model "
                + "value, or look it up in the request."
        case .silent:
            "The request ended without an error and without text, a tool call or data. Throw an error when there is no answer."
        case .slowToStop(let seconds):
            "The request went on for more than \(seconds) s after it was cancelled. Check for cancellation between events."
        case .failed(let reason):
            "A plain request ended with an error: \(reason)"
        }
    }

    private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}

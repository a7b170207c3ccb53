/// What exactly was seen. The words are in ``words``.
enum Fault: Hashable {
    case usageFell(field: String, from: Int, to: Int)
    case usageStood(output: Int, deltas: Int)
    case usageAboveTotal(part: String, value: Int, total: Int)
    case metadataKeysLost([String])
    case callUnnamed(id: String)
    case callRenamed(id: String, from: String, to: String)
    case callUnknown(name: String, known: [String])
    case callMetadataLate(id: String)
    case argumentsRepeated(id: String)
    case argumentsAfterEnd(id: String)
    case argumentsUnfinished(id: String, text: String)
    case callChangedAfterRemoval(id: String)
    case callRemovedUnopened(id: String)
    case attachmentTwice(id: String)
    case attachmentRemovedUnknown(id: String)
    case textRepeated(segment: String?)
    case textErased
    case replacedUnknownSegment(id: String)
    case signatureReplacementCharacter
    case reasoningMixed
    case reasoningSplit
    case entryKinds(id: String)
    case entryOfTranscript(id: String)
    case undeclared(String)
    case declaredUnused(String)
    case declaredRefused(String, reason: String)
    case schemaBroken(type: String, reason: String, text: String)
    case argumentsBroken(tool: String, reason: String)
    case configurationUnequal
    case configurationSameForVariant(String)
    case configurationHolds(path: String, type: String)
    case configurationMoved
    case silent
    case slowToStop(seconds: Double)
    case failed(reason: String)

    var pitfall: Pitfall {
        switch self {
        case .usageFell, .usageStood, .usageAboveTotal: .usageIsNotATotal
        case .metadataKeysLost: .metadataVanished
        case .callUnnamed, .callRenamed, .callUnknown: .toolCallWithoutName
        case .callMetadataLate: .callMetadataAfterArguments
        case .argumentsRepeated, .argumentsAfterEnd, .argumentsUnfinished, .callChangedAfterRemoval,
            .callRemovedUnopened:
            .argumentsRewritten
        case .attachmentTwice, .attachmentRemovedUnknown: .attachmentAddedTwice
        case .textRepeated, .textErased, .replacedUnknownSegment: .textSentAgain
        case .signatureReplacementCharacter: .signatureDecoded
        case .reasoningMixed, .reasoningSplit: .reasoningIDsMixed
        case .entryKinds, .entryOfTranscript: .entryIDReused
        case .undeclared, .declaredUnused, .declaredRefused, .schemaBroken, .argumentsBroken: .capabilityMisdeclared
        case .configurationUnequal, .configurationSameForVariant, .configurationHolds, .configurationMoved:
            .configurationIsNotPlain
        case .silent: .silence
        case .slowToStop: .cancellationIgnored
        case .failed: .requestFailed
        }
    }
}

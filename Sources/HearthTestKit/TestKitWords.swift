extension ScriptError {
    var words: String {
        switch self {
        case .noTurnLeft(let asked, let turns):
            "The scripted model was asked for turn \(asked), and its script has \(turns). "
                + "Add a turn; every round of the tool loop takes one."
        }
    }
}

extension RecordingError {
    var words: String {
        switch self {
        case .notJSON(let reason): "The recording is not JSON: \(reason)"
        case .otherFormat(let found):
            "The file's format is '\(found)'; a recording's is 'hearth-recording'. Record the model again."
        case .otherVersion(let found):
            "The recording has version \(found); this kit reads version 1. Record the model again."
        case .missing(let field, let place):
            "The recording has no usable '\(field)' at \(place). Record the model again."
        case .unknownWord(let word, let place):
            "The recording says '\(word)' at \(place), which this kit does not know. Record the model again."
        case .notBase64(let field, let place):
            "The '\(field)' at \(place) of the recording is not base64. Record the model again."
        case .noRoundLeft(let rounds):
            "The recording has \(rounds) rounds, and the model was asked once more. Record the longer conversation."
        case .otherRequest(let round, let recorded, let asked):
            "Round \(round) of the recording answers another question. Recorded: \(recorded). Asked: \(asked). "
                + "Record the model again."
        }
    }
}

/// What a user thought of an answer, to be sent to those who make the model.
public struct LanguageModelFeedback {
    public enum Sentiment: Sendable, CaseIterable, Equatable, Hashable {
        case positive
        case negative
        case neutral
    }

    /// What was wrong with an answer.
    public struct Issue: Sendable {
        let category: LanguageModelFeedback.Issue.Category
        let explanation: String?

        public init(category: LanguageModelFeedback.Issue.Category, explanation: String? = nil) {
            self.category = category
            self.explanation = explanation
        }

        public enum Category: Sendable, CaseIterable, Equatable, Hashable {
            case unhelpful
            case tooVerbose
            case didNotFollowInstructions
            case incorrect
            case stereotypeOrBias
            case suggestiveOrSexual
            case vulgarOrOffensive
            case triggeredGuardrailUnexpectedly
        }
    }
}

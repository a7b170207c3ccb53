import Foundation

/// An identity for a value while it is being generated: the same in every snapshot of one response, never the same in
/// two responses. The framework fills properties of this type; a model never sees them.
public struct GenerationID: Sendable, Hashable {
    private let value = UUID()

    public init() {}
}

/// The record of a conversation: instructions, prompts, tool calls and their outputs, reasoning and responses.
///
///     let transcript = Transcript(entries: [.prompt(.init(segments: [.text(.init(content: "Hello"))]))])
///     let session = LanguageModelSession(model: model, transcript: transcript)
///
/// A transcript is a collection of its entries. It is saved with `JSONEncoder` and read back with `JSONDecoder`.
public struct Transcript: Sendable, Equatable, RandomAccessCollection {
    public typealias Index = Int
    public typealias Element = Transcript.Entry

    /// The entries as an array.
    public private(set) var entries: [Transcript.Entry]

    public init() {
        entries = []
    }

    public init(entries: some Sequence<Transcript.Entry> = []) {
        self.entries = Array(entries)
    }

    public var startIndex: Int { entries.startIndex }

    public var endIndex: Int { entries.endIndex }

    public subscript(index: Transcript.Index) -> Transcript.Entry {
        get { entries[index] }
        set { entries[index] = newValue }
    }
}

extension Transcript: MutableCollection {}

extension Transcript: RangeReplaceableCollection {
    public mutating func replaceSubrange<C>(
        _ subrange: Range<Int>, with newElements: consuming C
    ) where C: Collection, C.Element == Transcript.Entry {
        entries.replaceSubrange(subrange, with: newElements)
    }
}

extension Transcript {
    /// The entries after the leading instructions. Setting it replaces those entries and keeps the instructions.
    public var history: Transcript.HistoryView {
        get { HistoryView(entries: entries[historyStart...]) }
        set { replaceSubrange(historyStart..., with: Array(newValue)) }
    }

    private var historyStart: Int {
        if case .instructions? = first { 1 } else { 0 }
    }

    /// A view of a transcript without its leading instructions. An index is good for the view it came from.
    public struct HistoryView: RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
        ExpressibleByArrayLiteral, Sendable
    {
        public typealias Element = Transcript.Entry
        public typealias SubSequence = Transcript.HistoryView

        private var entries: ArraySlice<Transcript.Entry>

        init(entries: ArraySlice<Transcript.Entry>) {
            self.entries = entries
        }

        public init() {
            entries = []
        }

        public init(arrayLiteral elements: Transcript.Entry...) {
            entries = ArraySlice(elements)
        }

        public struct Index: Comparable, Hashable, Strideable, Sendable {
            let position: Int

            public static func < (left: Index, right: Index) -> Bool { left.position < right.position }

            public func distance(to other: Index) -> Int { other.position - position }

            public func advanced(by count: Int) -> Index { Index(position: position + count) }
        }

        public var startIndex: Transcript.HistoryView.Index { Index(position: entries.startIndex) }

        public var endIndex: Transcript.HistoryView.Index { Index(position: entries.endIndex) }

        public subscript(position: Transcript.HistoryView.Index) -> Transcript.Entry {
            get { entries[position.position] }
            set { entries[position.position] = newValue }
        }

        public subscript(bounds: Range<Transcript.HistoryView.Index>) -> Transcript.HistoryView {
            get { HistoryView(entries: entries[bounds.positions]) }
            set { entries.replaceSubrange(bounds.positions, with: newValue.entries) }
        }

        public mutating func append(_ newElement: Transcript.Entry) {
            entries.append(newElement)
        }

        public mutating func append(contentsOf newElements: some Sequence<Transcript.Entry>) {
            entries.append(contentsOf: newElements)
        }

        public mutating func replaceSubrange<C>(
            _ subrange: Range<Transcript.HistoryView.Index>, with newElements: C
        ) where C: Collection, C.Element == Transcript.Entry {
            entries.replaceSubrange(subrange.positions, with: newElements)
        }
    }
}

extension Range<Transcript.HistoryView.Index> {
    fileprivate var positions: Range<Int> { lowerBound.position..<upperBound.position }
}

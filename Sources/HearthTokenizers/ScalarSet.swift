/// A bracket expression of a pattern: some classes, some ranges, perhaps all others.
struct ScalarSet: Sendable {
    var classes: ScalarClass = []
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    init(_ classes: ScalarClass = [], ranges: [ClosedRange<UInt32>] = [], isNegated: Bool = false) {
        self.classes = classes
        self.ranges = ranges
        self.isNegated = isNegated
    }

    /// Single scalars, written as a string of them.
    init(_ classes: ScalarClass = [], of scalars: String, isNegated: Bool = false) {
        self.init(classes, ranges: scalars.unicodeScalars.map { $0.value...$0.value }, isNegated: isNegated)
    }

    func contains(_ scalar: UInt32, _ scalarClass: ScalarClass) -> Bool {
        (!scalarClass.isDisjoint(with: classes) || ranges.contains { $0.contains(scalar) }) != isNegated
    }
}

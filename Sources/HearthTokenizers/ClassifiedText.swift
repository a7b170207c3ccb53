/// A text cut into Unicode scalars: the value, the class and the place of each.
///
/// A byte that is not part of well-formed UTF-8 is a scalar of its own without a class, so that nothing of the text
/// is lost or replaced.
struct ClassifiedText: Sendable {
    /// Values; 0x110000 + byte for a byte that is not UTF-8.
    private(set) var scalars: [UInt32] = []
    private(set) var classes: [ScalarClass] = []
    /// First byte of each scalar; one more entry ends the last. 32 bits: long texts stay in the cache longer.
    private var starts: [Int32] = []

    init() {}

    init(_ bytes: Span<UInt8>) { read(bytes) }

    /// Cuts another text, in the room of the last one.
    /// - Parameter bytes: at most `Tokenizer.longestText`.
    mutating func read(_ bytes: Span<UInt8>) {
        scalars.removeAll(keepingCapacity: true)
        classes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        scalars.reserveCapacity(bytes.count)
        classes.reserveCapacity(bytes.count)
        starts.reserveCapacity(bytes.count + 1)
        var place = 0
        while place < bytes.count {
            let (scalar, length) = decodeScalar(bytes, at: place)
            scalars.append(scalar)
            classes.append(ScalarClass(of: scalar))
            starts.append(Int32(place))
            place += length
        }
        starts.append(Int32(place))
    }

    var count: Int { scalars.count }

    /// The first byte of a scalar; with `count`, the end of the text.
    func start(_ index: Int) -> Int { Int(starts[index]) }

    /// The bytes of some scalars.
    func bytes(_ range: Range<Int>) -> Range<Int> { start(range.lowerBound)..<start(range.upperBound) }

    /// The class at `index`, nil at `end` or past it: a pattern sees nothing beyond its segment.
    func `class`(_ index: Int, before end: Int) -> ScalarClass? { index < end ? classes[index] : nil }

    func isNewline(_ index: Int) -> Bool { scalars[index] == 10 || scalars[index] == 13 }
}

/// The scalar at a place and its length in bytes; a byte that begins no well-formed sequence (Unicode 16, table 3-7)
/// comes as 0x110000 + byte with length 1.
func decodeScalar(_ bytes: Span<UInt8>, at place: Int) -> (scalar: UInt32, length: Int) {
    let first = UInt32(bytes[place])
    let broken = (0x110000 + first, 1)
    func tail(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> UInt32? {
        guard place + offset < bytes.count, range.contains(bytes[place + offset]) else { return nil }
        return UInt32(bytes[place + offset] & 0x3F)
    }
    switch first {
    case 0..<0x80:
        return (first, 1)
    case 0xC2...0xDF:
        guard let a = tail(1) else { return broken }
        return ((first & 0x1F) << 6 | a, 2)
    case 0xE0...0xEF:
        // no overlong forms, no surrogates
        let second: ClosedRange<UInt8> = first == 0xE0 ? 0xA0...0xBF : first == 0xED ? 0x80...0x9F : 0x80...0xBF
        guard let a = tail(1, second), let b = tail(2) else { return broken }
        return ((first & 0x0F) << 12 | a << 6 | b, 3)
    case 0xF0...0xF4:
        // no overlong forms, nothing above U+10FFFF
        let second: ClosedRange<UInt8> = first == 0xF0 ? 0x90...0xBF : first == 0xF4 ? 0x80...0x8F : 0x80...0xBF
        guard let a = tail(1, second), let b = tail(2), let c = tail(3) else { return broken }
        return ((first & 0x07) << 18 | a << 12 | b << 6 | c, 4)
    default:
        return broken
    }
}

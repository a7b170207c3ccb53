/// How a logit becomes a mass: `exp((x - largest) * scale)` in units of 2^-42, an integer, so that sums of masses depend on no order.
///
/// Half a unit is lost of each at most: of the largest one's mass, 2^-25 over 262,144 of them. 2^21 masses are at most 2^63.
package struct DrawLaw: Sendable {
    /// No logit is above it.
    package let largest: Float
    /// Scale times log2(e).
    package let factor: Float

    /// The mass of `largest` itself.
    package static let unit: UInt64 = 1 << 42
    /// Gives a unit to every logit but minus infinity.
    package static let equal = DrawLaw(below: 0, scale: 0)

    package init(below largest: Float, scale: Float) {
        self.largest = largest
        factor = Float(min(Double(scale) * 1.4426950408889634, Double(Float.greatestFiniteMagnitude)))
    }

    /// A weight of 0 to 1 in units of 2^-42, to nearest: adding 1.5 * 2^10 rounds a Double so.
    @inlinable package static func mass(_ weight: Float) -> UInt64 {
        (Double(weight) + 1536).bitPattern &- (1536.0).bitPattern
    }
}

/// A pass over `count` numbers `x`, none of them NaN or plus infinity: sums the masses of those of at least `least`, and collects
/// those of at least `lower` and below `upper`, in their order.
@unsafe package struct DrawCut {
    package var x: UnsafePointer<Float>
    /// Nil: they are counted from `first`.
    package var ids: UnsafePointer<Int32>?
    package var first: Int32 = 0
    package var count: Int
    package var law: DrawLaw
    /// Not minus infinity; plus infinity counts none.
    package var least: Float
    /// Finite; plus infinity collects none.
    package var lower: Float
    package var upper: Float
    /// Room for `count` each; nil where none are collected.
    package var outValues: UnsafeMutablePointer<Float>?
    package var outIDs: UnsafeMutablePointer<Int32>?

    package init(
        _ x: UnsafePointer<Float>, ids: UnsafePointer<Int32>? = nil, count: Int, _ law: DrawLaw, least: Float,
        lower: Float = .infinity, upper: Float = .infinity,
        into outValues: UnsafeMutablePointer<Float>? = nil, _ outIDs: UnsafeMutablePointer<Int32>? = nil
    ) {
        unsafe self.x = x
        unsafe self.ids = ids
        unsafe self.count = count
        unsafe self.law = law
        unsafe self.least = least
        unsafe self.lower = lower
        unsafe self.upper = upper
        unsafe self.outValues = outValues
        unsafe self.outIDs = outIDs
    }

    /// The same over numbers of a part; what is collected of them goes to their own places.
    package func part(_ range: (first: Int, count: Int)) -> DrawCut {
        var part = unsafe self
        unsafe part.x += range.first
        unsafe part.ids = ids.map { unsafe $0 + range.first }
        unsafe part.first += Int32(truncatingIfNeeded: range.first)
        unsafe part.count = range.count
        unsafe part.outValues = outValues.map { unsafe $0 + range.first }
        unsafe part.outIDs = outIDs.map { unsafe $0 + range.first }
        return unsafe part
    }
}

/// What a pass found.
package struct DrawSum: Sendable {
    package var mass: UInt64
    package var collected: Int

    package init(mass: UInt64 = 0, collected: Int = 0) {
        self.mass = mass
        self.collected = collected
    }
}

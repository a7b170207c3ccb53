internal import HearthKernelsPortable

/// Elementary functions whose bits do not depend on the machine or its C library.
package enum Mathematics {
    /// e^x, within one unit in the last place.
    package static func exp(_ x: Double) -> Double { scalarExp(x) }
    /// Natural logarithm, within one unit in the last place.
    package static func log(_ x: Double) -> Double { scalarLog(x) }
    /// base^exponent for a positive base; a relative error of about `|exponent log base|` units in the last place.
    package static func power(_ base: Double, _ exponent: Double) -> Double { scalarExp(exponent * scalarLog(base)) }
    /// Sine and cosine, each within one unit in the last place of the larger for |x| up to 2^20 pi/2.
    package static func sinCos(_ x: Double) -> (sin: Double, cos: Double) { scalarSinCos(x) }
    package static func sin(_ x: Double) -> Double { scalarSinCos(x).sin }
    package static func cos(_ x: Double) -> Double { scalarSinCos(x).cos }
}

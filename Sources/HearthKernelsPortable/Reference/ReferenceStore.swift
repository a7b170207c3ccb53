package import HearthKernelTypes

// Writing into a page and reading back, by the formulas of KVLayout. Writing a token is a small part of a step, so every kernel
// set writes with these functions and the cache's bytes do not depend on the set.

/// Writes one token's keys and values, `[kvHeads, keyWidth]` and `[kvHeads, valueWidth]`, at `slot` of a page.
package func storeToken(
    _ layout: KVLayout, keys: UnsafePointer<Float>, values: UnsafePointer<Float>, slot: Int, page: UnsafeMutableRawPointer
) {
    let (group, lane) = (slot / 8, slot % 8)
    for head in 0..<layout.kvHeads {
        let key = keys + head * layout.keyWidth
        let keyBase = page + head * layout.keyHeadBytes
        let value = values + head * layout.valueWidth
        let valueBase = page + layout.valuesOffset + head * layout.valueHeadBytes
        let firstKey = group * layout.keyWidth * 8 + lane
        let firstValue = slot * layout.paddedValueWidth
        switch layout.type {
        case .f32:
            let k = keyBase.assumingMemoryBound(to: Float.self) + firstKey
            for d in 0..<layout.keyWidth { k[d * 8] = key[d] }
            let v = valueBase.assumingMemoryBound(to: Float.self) + firstValue
            for d in 0..<layout.valueWidth { v[d] = value[d] }
        case .f16:
            let k = keyBase.assumingMemoryBound(to: UInt16.self) + firstKey
            for d in 0..<layout.keyWidth { k[d * 8] = halfBits(key[d]) }
            let v = valueBase.assumingMemoryBound(to: UInt16.self) + firstValue
            for d in 0..<layout.valueWidth { v[d] = halfBits(value[d]) }
        case .q8_0:
            let k = keyBase.assumingMemoryBound(to: Int8.self) + firstKey
            let kScales = (keyBase + layout.keyCodeBytes).assumingMemoryBound(to: UInt16.self)
            let blocks = layout.keyWidth / 32
            for block in 0..<blocks {
                let scale = quantise32(key + block * 32, into: k + block * 32 * 8, step: 8)
                kScales[(group * blocks + block) * 8 + lane] = scale
            }
            let v = valueBase.assumingMemoryBound(to: Int8.self) + firstValue
            let vScales = (valueBase + layout.valueCodeBytes).assumingMemoryBound(to: UInt16.self)
            let valueBlocks = layout.paddedValueWidth / 32
            for block in 0..<valueBlocks {
                vScales[slot * valueBlocks + block] = quantise32(value + block * 32, into: v + block * 32, step: 1)
            }
        }
    }
}

/// 32 values to signed bytes `round(x / scale)`, `scale = max |x| / 127` as a half float, whose bits are returned.
/// Zeros, and values so small that the scale is zero as a half float, become zero.
private func quantise32(_ x: UnsafePointer<Float>, into codes: UnsafeMutablePointer<Int8>, step: Int) -> UInt16 {
    var largest: Float = 0
    for i in 0..<32 { largest = max(largest, x[i].magnitude) }
    let bits = halfBits(largest / 127)
    let scale = floatFromHalf(bits)
    // Division by the scale that is stored, not by the one before rounding: codes may reach 128 then, so they are clamped.
    for i in 0..<32 {
        let code = scale > 0 ? (x[i] / scale).rounded(.toNearestOrEven) : 0
        codes[i * step] = Int8(max(-127, min(127, code)))
    }
    return bits
}

/// Number `d` of the key at `slot`.
package func keyElement(_ layout: KVLayout, page: UnsafeRawPointer, head: Int, slot: Int, _ d: Int) -> Float {
    let base = page + head * layout.keyHeadBytes
    let (group, lane) = (slot / 8, slot % 8)
    let index = (group * layout.keyWidth + d) * 8 + lane
    switch layout.type {
    case .f32: return base.assumingMemoryBound(to: Float.self)[index]
    case .f16: return floatFromHalf(base.assumingMemoryBound(to: UInt16.self)[index])
    case .q8_0:
        let scales = (base + layout.keyCodeBytes).assumingMemoryBound(to: UInt16.self)
        let scale = floatFromHalf(scales[(group * (layout.keyWidth / 32) + d / 32) * 8 + lane])
        return Float(base.assumingMemoryBound(to: Int8.self)[index]) * scale
    }
}

/// Number `d` of the value at `slot`.
package func valueElement(_ layout: KVLayout, page: UnsafeRawPointer, head: Int, slot: Int, _ d: Int) -> Float {
    let base = page + layout.valuesOffset + head * layout.valueHeadBytes
    let index = slot * layout.paddedValueWidth + d
    switch layout.type {
    case .f32: return base.assumingMemoryBound(to: Float.self)[index]
    case .f16: return floatFromHalf(base.assumingMemoryBound(to: UInt16.self)[index])
    case .q8_0:
        let scales = (base + layout.valueCodeBytes).assumingMemoryBound(to: UInt16.self)
        let scale = floatFromHalf(scales[slot * (layout.paddedValueWidth / 32) + d / 32])
        return Float(base.assumingMemoryBound(to: Int8.self)[index]) * scale
    }
}

/// Bits of the nearest half float (ties to even); what lies beyond the largest, 65504, becomes it, so that a stored number is
/// finite whenever the number was.
@inline(__always)
package func halfBits(_ x: Float) -> UInt16 {
    let bits = x.bitPattern
    let sign = UInt16(truncatingIfNeeded: bits >> 16 & 0x8000)
    let magnitude = bits & 0x7FFF_FFFF
    if magnitude > 0x7F80_0000 { return sign | 0x7E00 }  // NaN
    if magnitude >= 0x477F_F000 { return sign | 0x7BFF }  // rounds to 65536 or more
    if magnitude < 0x3880_0000 {
        // Below 2^-14 halves are multiples of 2^-24: adding 0.5 leaves them in the low bits of the sum, rounded.
        let sum = Float(bitPattern: magnitude) + 0.5
        return sign | UInt16(truncatingIfNeeded: sum.bitPattern &- 0x3F00_0000)
    }
    // Round the 13 bits that are dropped, ties to even, and move the exponent's bias from 127 to 15.
    let odd = magnitude >> 13 & 1
    return sign | UInt16(truncatingIfNeeded: (magnitude &+ 0x0FFF &+ odd &- 0x3800_0000) >> 13)
}

/// The number that the bits of a half float mean.
@inline(__always)
package func floatFromHalf(_ bits: UInt16) -> Float {
    let magnitude = UInt32(bits & 0x7FFF)
    let sign = UInt32(bits & 0x8000) << 16
    if magnitude >= 0x7C00 { return Float(bitPattern: sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13) }
    // The bits moved to a float's place mean the number times 2^-112; subnormal halves come out right too.
    let value = Float(bitPattern: magnitude << 13) * 5.192296858534828e+33  // 2^112
    return Float(bitPattern: value.bitPattern | sign)
}

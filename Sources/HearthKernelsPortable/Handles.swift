// Raw memory behind named methods, so that the loops read in words. Nothing is checked: the only caller is the checked
// layer in HearthKernels.

/// Bytes to read.
@safe struct Bytes {
    let base: UnsafeRawPointer

    @inline(__always) init(_ base: UnsafeRawPointer) { unsafe self.base = unsafe base }

    @inline(__always) static func + (p: Bytes, offset: Int) -> Bytes { unsafe Bytes(p.base + offset) }

    @inline(__always) subscript(offset: Int) -> Int {
        unsafe Int(base.load(fromByteOffset: offset, as: UInt8.self))
    }

    @inline(__always) func signed(_ offset: Int) -> Int { unsafe Int(base.load(fromByteOffset: offset, as: Int8.self)) }

    @inline(__always) func load<T: BitwiseCopyable>(_ offset: Int, as: T.Type) -> T {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: T.self)
    }

    @inline(__always) func half(_ offset: Int) -> Float { halfToFloat(load(offset, as: UInt16.self)) }
}

/// Bytes to write.
@safe struct MutableBytes {
    let base: UnsafeMutableRawPointer

    @inline(__always) init(_ base: UnsafeMutableRawPointer) { unsafe self.base = unsafe base }

    @inline(__always) static func + (p: MutableBytes, offset: Int) -> MutableBytes { unsafe MutableBytes(p.base + offset) }

    @inline(__always) func store<T: BitwiseCopyable>(_ value: T, _ offset: Int) {
        unsafe base.storeBytes(of: value, toByteOffset: offset, as: T.self)
    }

    @inline(__always) func load<T: BitwiseCopyable>(_ offset: Int, as: T.Type) -> T {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: T.self)
    }
}

/// Floats to read and write.
@safe struct Floats {
    let base: UnsafeMutablePointer<Float>

    @inline(__always) init(_ base: UnsafeMutablePointer<Float>) { unsafe self.base = unsafe base }

    @inline(__always) static func + (p: Floats, offset: Int) -> Floats { unsafe Floats(p.base + offset) }

    @inline(__always) subscript(index: Int) -> Float {
        get { unsafe base[index] }
        nonmutating set { unsafe base[index] = newValue }
    }
}

// Raw memory behind small handles. They are declared here and get their methods in the targets with loops: a type that is
// declared in the AVX2 target would bring shared functions of its own (copying, destroying), compiled for AVX2, which the
// linker may then choose for everybody. Nothing but stored properties is used across the module's border in loops, since
// calls over it are not inlined.

/// A place in packed bytes, to read from. Nothing is checked: the only caller is the checked layer in HearthKernels.
@safe package struct Stream {
    package let base: UnsafeRawPointer
}

/// A place to write to.
@safe package struct Sink {
    package let base: UnsafeMutableRawPointer
}

import HearthKernels

/// What the short convolutions of a model read of the past: their last few inputs, of each layer.
///
/// Unlike keys and values these are not kept for every position, since they are far wider. A sequence can go on from where it
/// ends, or go back to a position at which the inputs were set aside; what lies between is evaluated again.
///
/// A pass writes beside what it reads; `commit()` makes that current once every layer has been evaluated, so that a pass
/// that is cancelled half-way leaves the state of before.
@safe final class ConvolutionState {
    /// Positions between two that can be gone back to: at most 31 tokens are evaluated again, and what is set aside takes, per
    /// position, a sixteenth of one input of all layers.
    static let interval = 32

    let shape: ConvolutionShape
    /// `[layers, history, width]` each.
    private var current: Vector
    private var next: Vector
    /// `[position / interval]` of the same; the first stays zero.
    private let kept: ReservedMemory

    init(_ shape: ConvolutionShape, context: Int) throws(InferenceError) {
        self.shape = shape
        current = Vector(count: shape.count)
        next = Vector(count: shape.count)
        let (bytes, overflow) = ((context / Self.interval + 1) * 4).multipliedReportingOverflow(by: shape.count)
        kept = try computing { () throws(KernelError) in
            guard !overflow else { throw KernelError.outOfMemory(bytes: Int.max) }
            return try ReservedMemory(byteCount: bytes)
        }
    }

    /// Inputs of one layer by their place in the pass: those before 0 come from the state.
    @safe struct Rows {
        fileprivate let before: UnsafePointer<Float>
        fileprivate let width: Int
        fileprivate let rows: UnsafePointer<Float>
        fileprivate let stride: Int

        subscript(index: Int) -> UnsafePointer<Float> {
            unsafe index < 0 ? before + index * width : rows + index * stride
        }
    }

    /// - Parameter inputs: of the pass, `stride` values apart.
    func rows(_ layer: Int, behind inputs: UnsafePointer<Float>, stride: Int) -> Rows {
        unsafe Rows(
            before: UnsafePointer(current.values + (layer + 1) * shape.history * shape.width), width: shape.width,
            rows: inputs, stride: stride)
    }

    /// Notes a layer's inputs behind a pass of `count` tokens from `position` on, and sets aside those of places to go back to.
    func advance(_ layer: Int, by count: Int, _ rows: Rows, from position: Int) {
        let start = layer * shape.history * shape.width
        func write(_ end: Int, to target: UnsafeMutablePointer<Float>) {
            for index in 0..<shape.history {
                unsafe (target + index * shape.width).update(from: rows[end - shape.history + index], count: shape.width)
            }
        }
        unsafe write(count, to: next.values + start)
        var place = (position / Self.interval + 1) * Self.interval
        while place <= position + count {
            unsafe write(place - position, to: keptState(place) + start)
            place += Self.interval
        }
    }

    /// Makes what the last pass wrote current.
    func commit() { swap(&current, &next) }

    /// The nearest position, not after `position`, that a sequence of `end` tokens can go back to.
    static func nearest(_ position: Int, end: Int) -> Int {
        position == end ? end : position / interval * interval
    }

    /// Goes back to a position that was set aside.
    func restore(_ position: Int) {
        precondition(position % Self.interval == 0)
        unsafe current.values.update(from: keptState(position), count: shape.count)
    }

    /// Takes over the first `position` positions of the state of a sequence of `end` tokens.
    func copy(_ position: Int, of other: ConvolutionState, end: Int) {
        for place in stride(from: Self.interval, through: position, by: Self.interval) {
            unsafe keptState(place).update(from: other.keptState(place), count: shape.count)
        }
        if position == end {
            unsafe current.values.update(from: other.current.values, count: shape.count)
        } else {
            restore(position)
        }
    }

    private func keptState(_ position: Int) -> UnsafeMutablePointer<Float> {
        unsafe kept.base.assumingMemoryBound(to: Float.self) + position / Self.interval * shape.count
    }
}

/// What the short convolutions of a model keep of the past.
struct ConvolutionShape: Sendable, Hashable {
    /// Layers with a convolution.
    let layers: Int
    /// Inputs of before that a position reads.
    let history: Int
    let width: Int

    var count: Int { layers * history * width }
}

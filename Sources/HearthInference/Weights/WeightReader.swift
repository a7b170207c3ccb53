import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Gives out the tensors of a checkpoint by name and shape, and remembers which were asked for, so that none is left out
/// in silence.
struct WeightReader {
    let checkpoint: Checkpoint
    let compute: Compute
    /// Positions that were asked for.
    let context: Int?
    /// Reads the file's own blocks, for what is looked up by row and never multiplied.
    private let plain: Compute
    private var asked: Set<String> = []

    /// What matrices of floats become.
    private let quantize: ElementType?

    init(_ checkpoint: Checkpoint, context: Int?, compute: Compute, quantize: ElementType? = nil) {
        self.quantize = quantize
        self.context = context
        self.checkpoint = checkpoint
        self.compute = compute
        plain = Compute(set: .reference, threads: 1)
    }

    func has(_ name: String) -> Bool { checkpoint.tensor(name) != nil }

    /// A matrix `[rows, columns]`; `reason` says in numbers why this shape.
    mutating func matrix(_ name: String, _ rows: Int, _ columns: Int, _ reason: String) throws(InferenceError) -> WeightSource {
        let tensor = try tensor(name, [rows, columns], reason)
        return try brought(source(tensor, rows: rows, columns: columns), of: tensor)
    }

    /// A matrix of the tensor in the type that was asked for.
    func brought(_ source: WeightSource, of tensor: TensorHandle) throws(InferenceError) -> WeightSource {
        guard let quantize, let type = QuantisePlan.type(of: tensor, asked: quantize) else { return source }
        return try computing { () throws(KernelError) in try compute.quantised(source, to: type) }
    }

    /// Matrices that read the same input, as one product with their outputs side by side.
    func linear(_ parts: WeightSource...) throws(InferenceError) -> Linear {
        let linear = try computing { () throws(KernelError) in try Linear(parts, compute: compute) }
        // Re-laid: the mapped pages are not read again, nor those that two stretches of a matrix share.
        if compute.set != .reference { for part in parts { checkpoint.tensor(part.name)?.discard() } }
        return linear
    }

    /// A matrix whose rows are looked up, straight from the file.
    func rows(_ part: WeightSource) throws(InferenceError) -> Linear {
        try computing { () throws(KernelError) in try Linear([part], compute: plain) }
    }

    /// A vector of `count` values, as Float32.
    mutating func vector(_ name: String, _ count: Int, _ reason: String) throws(InferenceError) -> Vector {
        let tensor = try tensor(name, [count], reason)
        let row = try rows(source(tensor, rows: 1, columns: count))
        let vector = Vector(count: count)
        unsafe row.row(0, into: vector.values)
        return vector
    }

    mutating func vector(ifPresent name: String, _ count: Int, _ reason: String) throws(InferenceError) -> Vector? {
        has(name) ? try vector(name, count, reason) : nil
    }

    /// Every tensor of the file must have been asked for.
    func finish(_ architecture: String) throws(InferenceError) {
        let left = checkpoint.tensors.map(\.name).filter { !asked.contains($0) }
        if !left.isEmpty { throw .unusedTensors(left, architecture: architecture) }
    }

    /// Rows of a matrix whose first dimension the metadata need not say.
    func rowCount(_ name: String, _ reason: String) throws(InferenceError) -> Int {
        guard let tensor = checkpoint.tensor(name) else { throw .missingTensor(name, shape: [], reason: reason) }
        guard tensor.shape.count == 2 else {
            throw .wrongShape(tensor: name, has: tensor.shape, needs: [0, 0], reason: reason)
        }
        return tensor.shape[0]
    }

    /// Passes over a tensor that other programs read and this architecture does not.
    mutating func ignore(_ name: String) { asked.insert(name) }

    mutating func tensor(_ name: String, _ shape: [Int], _ reason: String) throws(InferenceError) -> TensorHandle {
        guard let tensor = checkpoint.tensor(name) else { throw .missingTensor(name, shape: shape, reason: reason) }
        guard tensor.shape == shape else {
            throw .wrongShape(tensor: name, has: tensor.shape, needs: shape, reason: reason)
        }
        asked.insert(name)
        return try reading { () throws(CheckpointError) in try tensor.loaded() }
    }

    private func source(_ tensor: TensorHandle, rows: Int, columns: Int) -> WeightSource {
        // The mapping lives as long as its file, which the source owns. The reference set goes on reading it.
        let discard: (@Sendable (Range<Int>) -> Void)? =
            compute.set == .reference ? nil : { @Sendable range in tensor.discard(range) }
        return unsafe tensor.withBytes {
            unsafe WeightSource(
                name: tensor.name, type: tensor.type, rows: rows, columns: columns, bytes: $0, owner: tensor.file,
                discard: discard)
        }
    }
}

/// Float32 values that never change after loading: a norm's weights or a bias.
@safe final class Vector: @unchecked Sendable {
    let values: UnsafeMutablePointer<Float>
    let count: Int

    init(count: Int) {
        self.count = count
        unsafe values = .allocate(capacity: max(count, 1))
        unsafe values.initialize(repeating: 0, count: count)
    }

    convenience init(joining parts: [Vector]) {
        self.init(count: parts.reduce(0) { $0 + $1.count })
        var start = 0
        for part in parts {
            unsafe (values + start).update(from: part.values, count: part.count)
            start += part.count
        }
    }

    deinit { unsafe values.deallocate() }

    var floats: [Float] { (0..<count).map { self[$0] } }

    subscript(index: Int) -> Float {
        precondition(index >= 0 && index < count)
        return unsafe values[index]
    }
}

import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Bytes that the matrices of a checkpoint take in memory once they are loaded: what there must be room for at the least.
///
/// Re-laid matrices are as long as the file's (rows are padded to eight, under a fiftieth of the whole, which is left out). The
/// reference set goes on reading the file, and so does whoever looks up rows. Keys and values take memory when they come, and
/// buffers little.
struct MemoryNeed {
    let byteCount: Int

    /// - Parameter inFile: matrices that are read from the file row by row, unless they are brought into another type.
    init(_ checkpoint: Checkpoint, set: KernelSet, quantize: ElementType?, inFile: Set<String>) {
        var sum = 0
        for tensor in checkpoint.tensors where tensor.shape.count >= 2 {
            let brought = quantize.flatMap { QuantisePlan.type(of: tensor, asked: $0) }
            if brought == nil, set == .reference || inFile.contains(tensor.name) { continue }
            let (total, overflow) = sum.addingReportingOverflow((brought ?? tensor.type).byteCount(of: tensor.count) ?? 0)
            sum = overflow ? .max : total
        }
        byteCount = sum
    }

    /// Refuses what does not fit, before any of it is read. The system keeps one to three hundredths of its memory in reserve when
    /// it says what it can give: what needs no more than a thirty-second more than that is tried.
    func check(_ readings: MemoryReadings) throws(InferenceError) {
        guard let room = MemoryRoom(readings), byteCount - byteCount / 32 > room.byteCount else { return }
        throw .notEnoughMemory(needed: byteCount, room: room)
    }
}

extension QuantisePlan {
    /// How many tensors of a checkpoint are brought into a smaller type.
    static func count(in checkpoint: Checkpoint, asked: ElementType?) -> Int {
        guard let asked else { return 0 }
        return checkpoint.tensors.count { type(of: $0, asked: asked) != nil }
    }
}

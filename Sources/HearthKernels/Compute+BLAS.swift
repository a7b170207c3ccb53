internal import HearthBLAS
internal import HearthKernelsPortable
package import HearthKernelTypes
internal import HearthLocks
internal import Synchronization

extension Compute {
    /// Whether a product of `w` with `tokens` tokens runs on the BLAS. One token never does: it is bound by memory, and our
    /// layouts are read faster than a BLAS reads Float32.
    package func usesBLAS(_ w: Linear, tokens: Int) -> Bool {
        guard tokens > 1 else { return false }
        switch backend {
        case .native: return false
        case .blas: return true
        case .auto: return w.parts.allSatisfy { BLASTable.isFaster($0.type, rows: $0.rows, tokens: tokens, set: set) }
        }
    }

    /// `multiply` on the BLAS: panels of rows are made Float32, each by the worker that multiplies it.
    func multiplyOnBLAS(
        _ w: Linear, _ x: Activations, tokens: Int, into output: UnsafeMutablePointer<Float>
    ) throws(KernelError) {
        let workers = min(threads, x.workers)
        let panelRows = BLASProduct.panelRows(columns: w.inputs)
        if x.floatPanels == nil {
            x.floatPanels = try AlignedMemory(byteCount: x.workers * panelRows * w.inputs * 4)
        }
        let job = unsafe BLASProduct(
            w: w, x: UnsafePointer(x.values), tokens: tokens, panelRows: panelRows,
            panels: x.floatPanels!.base.assumingMemoryBound(to: Float.self), output: output, failure: Failure())
        unsafe run(job, items: w.outputs, perChunk: panelRows, workers: workers) { context, chunk, worker in
            let split = unsafe context.assumingMemoryBound(to: Split<BLASProduct>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.panel(first, count, worker)
        }
        if let error = job.failure.first.withLock({ $0 }) { throw .blas(words: error.description) }
        counters.blasProducts.add(1, ordering: .relaxed)
    }
}

/// The first error of a product's panels.
private final class Failure: Sendable {
    let first = Locked<BLASError?>(nil)
}

@safe private struct BLASProduct {
    let w: Linear
    let x: UnsafePointer<Float>
    let tokens: Int
    let panelRows: Int
    let panels: UnsafeMutablePointer<Float>
    let output: UnsafeMutablePointer<Float>
    let failure: Failure

    /// Rows of a panel: 512 KB of Float32, which the second cache holds while it is multiplied; at least 32, so that a call's own
    /// cost is small, and at most 256, so that there are panels for every worker.
    static func panelRows(columns: Int) -> Int { max(32, min(256, 131_072 / columns)) & ~7 }

    func panel(_ first: Int, _ count: Int, _ worker: Int) {
        let panel = unsafe panels + worker * panelRows * w.inputs
        unsafe w.expand(first..<first + count, into: panel)
        do {
            // Output is [tokens, outputs]: tokens are the rows of the BLAS's left side, our rows its right side.
            try unsafe BLAS.multiply(
                m: tokens, n: count, k: w.inputs, x, lda: w.inputs, panel, ldb: w.inputs, into: output + first, ldc: w.outputs)
        } catch {
            failure.first.withLock { if $0 == nil { $0 = error } }
        }
    }
}

extension Linear {
    /// Rows as Float32, one after the other.
    func expand(_ rows: Range<Int>, into output: UnsafeMutablePointer<Float>) {
        var row = rows.lowerBound
        while row < rows.upperBound {
            let part = parts.last { $0.firstOutput <= row }!
            let out = unsafe output + (row - rows.lowerBound) * inputs
            let place = row - part.firstOutput
            guard set != .reference, part.type.blockLength == 1 else {
                unsafe self.row(row, into: out)
                row += 1
                continue
            }
            // Float weights: what the bundle holds of the range at once.
            let (base, across, first) = unsafe part.place(place)
            let count = min(across - first, part.rows - place, rows.upperBound - row)
            unsafe expandFloats(
                part.type, base, columns: inputs, across: across, rows: first..<first + count, into: out)
            row += count
        }
    }
}

/// Where `--backend auto` gives a batched product to the BLAS. Nothing is measured at run time.
///
/// Measured on one core of a Zen 4 with OpenBLAS 0.3.21, other work beside it; billions of operations a second, native against
/// BLAS with expansion, [1536, 576], best of 15:
///
///     set       type   16 tokens    64 tokens    512 tokens
///     avx2      f32    97 : 27      103 : 60     92 : 79
///     avx2      f16    88 :  -      96 :  -      76 :  -      (the expansion is dearer than f32's)
///     avx2      q4_1   142 : 30     173 : 65     171 : 87
///     avx2      q8_0   105 : 30     112 : 64     107 : 85
///     portable  f32    14 : 39      14 : 64      14 : 78
///     portable  q4_1   26 : 29      50 : 64      57 : 87
///
/// Again, with AVX-512 and other layouts, processor time of one core, [1536, 512]:
///
///     set       type   16 tokens    64 tokens    512 tokens
///     avx2      f32    44 : 32      77 : 68      97 : 85
///     avx2      f16    65 : 20      91 : 49      99 : 83
///     avx2      q4_1   204 : 28     284 : 64     293 : 83
///     avx2      q8_0   160 : 28     297 : 60     338 : 88
///     portable  f32    25 : 32      34 : 68      34 : 85
///     portable  q4_1   58 : 28      63 : 64      65 : 83
///
/// So never for AVX2. For float weights of the portable set from 32 tokens on. Its quantised products stay native: they are
/// within 1.5 of the BLAS on a processor whose own kernels the BLAS may use and the portable set may not.
package enum BLASTable {
    package static func isFaster(_ type: ElementType, rows: Int, tokens: Int, set: KernelSet) -> Bool {
        switch set {
        case .reference: false  // the definition runs as it is written
        case .avx2: false
        // Fewer rows than a panel leave the BLAS too little for its own set-up.
        case .portable: type.blockLength == 1 && tokens >= 32 && rows >= 32
        }
    }
}

import Foundation
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthKernels
import HearthWeights

/// `hearth quantize IN OUT TYPE`: the same model with smaller weights, as one GGUF file.
///
/// One tensor is in memory at a time. The file gets its name when it is whole.
struct QuantizeVerb {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws {
        let output = arguments.operands[1]
        let word = arguments.operands[2].lowercased()
        guard let type = Compute.quantisedTypes.first(where: { $0.name.lowercased() == word }) else {
            let known = Compute.quantisedTypes.map { $0.name.lowercased() }.joined(separator: ", ")
            throw CommandError.badValue(option: "TYPE", value: arguments.operands[2], expected: "one of \(known)")
        }
        let checkpoint = try Checkpoint.open(try ModelArgument.file(arguments.operands[0]))
        let threads = arguments.integer("--threads") ?? ThreadCount.current.count
        ThreadPool.shared.reserve(workers: threads)
        let compute = Compute(set: .reference, threads: threads)

        let records = try checkpoint.tensors.map { try Self.record($0, type) }
        let writer = GGUFWriter(metadata: Self.metadata(checkpoint, type), tensors: records)
        let file = try PartialFile(output)
        try Self.write(writer.head, to: file)
        for (index, tensor) in checkpoint.tensors.enumerated() {
            let loaded = try tensor.loaded()
            let source = unsafe loaded.withBytes {
                unsafe WeightSource(
                    name: tensor.name, type: tensor.type, rows: tensor.rows, columns: tensor.columns, bytes: $0,
                    owner: loaded.file)
            }
            if records[index].type == tensor.type {
                unsafe try file.write(source.bytes)
            } else if records[index].type == .f32 {
                try Self.write(Self.floats(source, compute), to: file)
            } else {
                let smaller = try compute.quantised(source, to: records[index].type)
                unsafe try file.write(smaller.bytes)
                withExtendedLifetime(smaller.owner) {}
            }
            withExtendedLifetime(loaded) {}
            tensor.discard()
            try Self.write(writer.padding(after: index), to: file)
        }
        try file.finish()
        let after = records.reduce(0) { $0 + $1.byteCount }
        let before = checkpoint.tensors.reduce(0) { $0 + $1.byteCount }
        if arguments.flag("--json") {
            let report: JSON = [
                "file": .string(output), "type": .string(type.name.lowercased()), "tensors": .integer(Int64(records.count)),
                "bytes_before": .integer(Int64(before)), "bytes_after": .integer(Int64(after)),
            ]
            try StandardOutput.write(try report.text(.compact) + "\n")
        } else {
            try StandardOutput.write("\(output): \(records.count) tensors, \(before) bytes of weights became \(after)\n")
        }
    }

    private static func record(_ tensor: TensorHandle, _ asked: ElementType) throws -> GGUFWriter.Record {
        var type = QuantisePlan.type(of: tensor, asked: asked) ?? tensor.type
        // Vectors in half precision are read as floats everywhere; other programs want them so.
        if tensor.shape.count < 2, type == .f16 || type == .bf16 { type = .f32 }
        let isFloat = [.f32, .f16, .bf16].contains(tensor.type)
        guard isFloat || tensor.type == asked || tensor.type == .q8_0 else {
            throw CommandError.quantisedAlready(tensor: tensor.name, type: tensor.type.name)
        }
        guard let size = type.byteCount(of: tensor.count) else {
            throw KernelError.raggedRow(name: tensor.name, type: type, columns: tensor.columns)
        }
        return GGUFWriter.Record(name: tensor.name, type: type, shape: tensor.shape, byteCount: size)
    }

    /// The model's own, without what no longer holds: shards, and the type of most weights.
    private static func metadata(
        _ checkpoint: Checkpoint, _ type: ElementType
    ) -> [(key: String, value: MetadataValue)] {
        let kept = checkpoint.metadata.entries.filter {
            !$0.key.hasPrefix("split.") && $0.key != "general.file_type" && $0.key != "general.quantization_version"
        }
        // `llama_ftype` numbers: mostly Q8_0, Q4_0, Q4_K (small), Q6_K. Version 2 is that of the block formats here.
        let number: UInt64 = switch type { case .q8_0: 7; case .q4_0: 2; case .q4_k: 14; default: 18 }
        return kept + [
            ("general.file_type", .unsigned(number, kind: .uint32)),
            ("general.quantization_version", .unsigned(2, kind: .uint32)),
        ]
    }

    /// A vector's values, little-endian.
    private static func floats(_ source: WeightSource, _ compute: Compute) throws -> [UInt8] {
        let linear = try Linear([source], compute: compute)
        var values = [Float](repeating: 0, count: source.rows * source.columns)
        unsafe values.withUnsafeMutableBufferPointer { target in
            for row in 0..<source.rows { unsafe linear.row(row, into: target.baseAddress! + row * source.columns) }
        }
        return values.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
        }
    }

    private static func write(_ bytes: [UInt8], to file: PartialFile) throws(CommandError) {
        let failure: CommandError? = unsafe bytes.withUnsafeBytes { bytes in
            do throws(CommandError) { try unsafe file.write(bytes) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }
}

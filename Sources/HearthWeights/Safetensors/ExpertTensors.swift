import HearthKernelTypes

/// Experts of a mixture, which safetensors keep one by one (Qwen) or packed in ways of their own (gpt-oss), as the tensors that
/// GGUF has: gate, up and down of all experts of a layer, `[experts, rows, columns]` each.
struct ExpertTensors {
    private struct Part {
        let record: SafetensorsReader.Record
        let file: MappedFile
        var place: TensorPart { TensorPart(file: file, range: record.byteRange) }
    }

    /// In the order in which their first tensor came.
    private var order: [String] = []
    /// By GGUF's name, then by the expert's number.
    private var singles: [String: [Int: Part]] = [:]
    /// By layer, then by the name within its experts.
    private var packed: [Int: [String: Part]] = [:]
    private var layers: [Int] = []

    /// Takes a tensor of experts; false for any other.
    mutating func take(_ record: SafetensorsReader.Record, _ file: MappedFile) throws(CheckpointError) -> Bool {
        var parts = record.name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.first == "model" { parts.removeFirst() }
        guard parts.count >= 5, parts[0] == "layers", let layer = Int(parts[1]), layer >= 0, parts[2] == "mlp",
            parts[3] == "experts"
        else { return false }
        let part = Part(record: record, file: file)
        if parts.count == 5 {
            if packed[layer] == nil { layers.append(layer) }
            packed[layer, default: [:]][String(parts[4])] = part
            return true
        }
        guard parts.count == 7, parts[6] == "weight", let expert = Int(parts[4]), expert >= 0,
            let stem = Self.stems[String(parts[5])]
        else {
            return false
        }
        let name = "blk.\(layer).\(stem).weight"
        if singles[name] == nil { order.append(name) }
        singles[name, default: [:]][expert] = part
        return true
    }

    func tensors() throws(CheckpointError) -> [TensorHandle] {
        var tensors: [TensorHandle] = []
        for name in order { tensors.append(try stacked(name, singles[name] ?? [:])) }
        for layer in layers { tensors += try unpacked(layer, packed[layer] ?? [:]) }
        return tensors
    }

    private func stacked(_ name: String, _ parts: [Int: Part]) throws(CheckpointError) -> TensorHandle {
        var inOrder: [Part] = []
        for expert in 0..<parts.count {
            guard let part = parts[expert] else {
                throw CheckpointError(
                    parts.values.first?.file.path ?? name,
                    .badRecord(tensor: name, reason: "expert \(expert) is missing"))
            }
            let (first, record) = (inOrder.first?.record ?? part.record, part.record)
            guard record.shape == first.shape, record.dtype == first.dtype, record.shape.count == 2 else {
                throw CheckpointError(
                    part.file.path,
                    .badRecord(
                        tensor: record.name,
                        reason:
                            "it is \(record.dtype) \(record.shape), and the first expert's \(first.dtype) \(first.shape)"
                    ))
            }
            inOrder.append(part)
        }
        let first = inOrder[0]
        return TensorHandle(
            name: name, type: try type(first), shape: [inOrder.count] + first.record.shape,
            byteRange: first.record.byteRange,
            file: first.file, change: .stack(inOrder.map(\.place)))
    }

    /// gpt-oss: rows of gate and up take turns; matrices are MXFP4 in blocks and scales, or floats with inputs as rows.
    private func unpacked(_ layer: Int, _ parts: [String: Part]) throws(CheckpointError) -> [TensorHandle] {
        var tensors: [TensorHandle] = []
        var left = Set(parts.keys)
        for (source, targets) in [
            ("gate_up_proj", [("ffn_gate_exps", RowChoice.even), ("ffn_up_exps", .odd)]),
            ("down_proj", [("ffn_down_exps", .all)]),
        ] {
            for (stem, rows) in targets {
                let name = "blk.\(layer).\(stem).weight"
                if let blocks = parts[source + "_blocks"], let scales = parts[source + "_scales"] {
                    tensors.append(try mxfp4(name, blocks, scales, rows))
                } else if let matrix = parts[source] {
                    tensors.append(try transposed(name, matrix, rows))
                }
                if let bias = parts[source + "_bias"] {
                    let record = bias.record
                    guard record.shape.count == 2, let count = rows.count(of: record.shape[1]) else { throw odd(bias) }
                    let type = try type(bias)
                    tensors.append(
                        TensorHandle(
                            name: "blk.\(layer).\(stem).bias", type: type, shape: [record.shape[0], count],
                            byteRange: record.byteRange, file: bias.file, change: .rows(rows, size: type.blockBytes)))
                }
            }
            for suffix in ["", "_bias"] { left.remove(source + suffix) }
            if left.contains(source + "_blocks"), left.contains(source + "_scales") {
                left.subtract([source + "_blocks", source + "_scales"])
            }
        }
        if let name = left.min(), let part = parts[name] {
            throw CheckpointError(part.file.path, .unknownTensor(tensor: part.record.name, family: "gpt_oss"))
        }
        return tensors
    }

    private func mxfp4(_ name: String, _ blocks: Part, _ scales: Part, _ rows: RowChoice) throws(CheckpointError)
        -> TensorHandle
    {
        let shape = blocks.record.shape
        // [experts, rows, blocks, 16 bytes of two values each]
        guard shape.count == 4, shape[3] == 16, blocks.record.dtype == "U8", let count = rows.count(of: shape[1]) else {
            throw odd(blocks)
        }
        guard scales.record.dtype == "U8", scales.record.shape == Array(shape.dropLast()) else { throw odd(scales) }
        return TensorHandle(
            name: name, type: .mxfp4, shape: [shape[0], count, shape[2] * 32], byteRange: blocks.record.byteRange,
            file: blocks.file, change: .mxfp4(scales: scales.place, rows: rows))
    }

    private func transposed(_ name: String, _ matrix: Part, _ rows: RowChoice) throws(CheckpointError) -> TensorHandle {
        let shape = matrix.record.shape
        guard shape.count == 3, let count = rows.count(of: shape[2]) else { throw odd(matrix) }
        let type = try type(matrix)
        return TensorHandle(
            name: name, type: type, shape: [shape[0], count, shape[1]], byteRange: matrix.record.byteRange,
            file: matrix.file,
            change: .transpose(rows, size: type.blockBytes))
    }

    private func type(_ part: Part) throws(CheckpointError) -> ElementType {
        guard let type = part.record.type else {
            throw CheckpointError(part.file.path, .unsupportedDType(tensor: part.record.name, dtype: part.record.dtype))
        }
        return type
    }

    private func odd(_ part: Part) -> CheckpointError {
        CheckpointError(
            part.file.path,
            .badRecord(
                tensor: part.record.name,
                reason: "\(part.record.dtype) \(part.record.shape) is no form of experts that is known"))
    }

    private static let stems = ["gate_proj": "ffn_gate_exps", "up_proj": "ffn_up_exps", "down_proj": "ffn_down_exps"]
}

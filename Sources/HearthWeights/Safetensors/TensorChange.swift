package import HearthKernelTypes

/// How the bytes of a tensor in safetensors become those that a GGUF file of the model would have.
package enum TensorChange: Sendable, Equatable {
    /// Rows of `heads` heads go from two halves (0, 1, ... h/2, h/2+1, ...) to pairs side by side (0, h/2, 1, h/2+1, ...):
    /// the rotary layout that llama's converters to GGUF chose. A bias is a matrix of one column here.
    case pairRows(heads: Int)
    /// Float32 values plus 1, from values of `type`: Gemma's norms multiply by 1 + w, and GGUF stores the factor itself.
    case addOne(from: ElementType)
    /// The bytes of several tensors one after another, perhaps of several files: experts that are kept one by one.
    case stack([TensorPart])
    /// Blocks of MXFP4 from scales and values that are kept apart. Values lie in pairs of neighbours here, and in GGUF's blocks
    /// value i beside value 16 + i.
    case mxfp4(scales: TensorPart, rows: RowChoice)
    /// `[experts, columns, rows]` to `[experts, rows, columns]`, values of `size` bytes.
    case transpose(RowChoice, size: Int)
    /// Some values of each row, of `size` bytes.
    case rows(RowChoice, size: Int)

    /// The changed bytes. The reader has checked the tensor's shape against the change.
    func apply(to tensor: TensorHandle) throws(CheckpointError) -> MappedFile {
        let source = tensor.byteRange
        return switch self {
        case .pairRows(let heads):
            unsafe try MappedFile(made: source.count, for: tensor.file.path) { target in
                unsafe tensor.file.withBytes(source) { bytes in
                    let rows = tensor.shape[0]
                    let rowBytes = bytes.count / rows
                    let half = rows / heads / 2
                    for head in 0..<heads {
                        for index in 0..<2 * half {
                            let from = head * 2 * half + index % 2 * half + index / 2
                            let to = head * 2 * half + index
                            unsafe (target.baseAddress! + to * rowBytes).copyMemory(
                                from: bytes.baseAddress! + from * rowBytes, byteCount: rowBytes)
                        }
                    }
                }
            }
        case .addOne(let type):
            unsafe try MappedFile(made: tensor.count * 4, for: tensor.file.path) { target in
                unsafe tensor.file.withBytes(source) { bytes in
                    for index in 0..<tensor.count {
                        let value = unsafe Self.value(type, at: index, bytes) + 1
                        unsafe target.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: index * 4, as: UInt32.self)
                    }
                }
            }
        case .stack(let parts):
            unsafe try MappedFile(made: parts.reduce(0) { $0 + $1.range.count }, for: tensor.file.path) { target in
                var place = 0
                for part in parts {
                    unsafe part.file.withBytes(part.range) { bytes in
                        unsafe (target.baseAddress! + place).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
                    }
                    part.file.discard(part.range)  // read once
                    place += part.range.count
                }
            }
        case .mxfp4(let scales, let rows): try Self.mxfp4(tensor, scales, rows)
        case .transpose(let rows, let size):
            unsafe try MappedFile(made: tensor.count * size, for: tensor.file.path) { target in
                unsafe tensor.file.withBytes(source) { bytes in
                    let (experts, count, columns) = (tensor.shape[0], tensor.shape[1], tensor.shape[2])
                    for expert in 0..<experts {
                        for row in 0..<count {
                            for column in 0..<columns {
                                let from = (expert * columns + column) * count * rows.step + row * rows.step + rows.first
                                let to = (expert * count + row) * columns + column
                                unsafe (target.baseAddress! + to * size).copyMemory(
                                    from: bytes.baseAddress! + from * size, byteCount: size)
                            }
                        }
                    }
                }
            }
        case .rows(let rows, let size):
            unsafe try MappedFile(made: tensor.count * size, for: tensor.file.path) { target in
                unsafe tensor.file.withBytes(source) { bytes in
                    for index in 0..<tensor.count {
                        unsafe (target.baseAddress! + index * size).copyMemory(
                            from: bytes.baseAddress! + (index * rows.step + rows.first) * size, byteCount: size)
                    }
                }
            }
        }
    }

    /// A block in GGUF: a byte for the power of two, then 16 bytes with values 0 to 15 in their low halves, 16 to 31 in their
    /// high ones.
    private static func mxfp4(
        _ tensor: TensorHandle, _ scales: TensorPart, _ rows: RowChoice
    ) throws(CheckpointError) -> MappedFile {
        let blocks = tensor.columns / 32
        return unsafe try MappedFile(made: tensor.rows * blocks * 17, for: tensor.file.path) { target in
            unsafe tensor.file.withBytes(tensor.byteRange) { values in
                unsafe scales.file.withBytes(scales.range) { powers in
                    for row in 0..<tensor.rows {
                        for block in 0..<blocks {
                            let from = (row * rows.step + rows.first) * blocks + block
                            let to = (row * blocks + block) * 17
                            unsafe target[to] = powers[from]
                            for index in 0..<16 {
                                let shift = UInt8(index % 2 * 4)
                                let low = unsafe values[from * 16 + index / 2] >> shift & 0xF
                                let high = unsafe values[from * 16 + 8 + index / 2] >> shift & 0xF
                                unsafe target[to + 1 + index] = low | high << 4
                            }
                        }
                    }
                }
            }
        }
    }

    /// One value of a float tensor.
    private static func value(_ type: ElementType, at index: Int, _ bytes: UnsafeRawBufferPointer) -> Float {
        func half() -> UInt16 { UInt16(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)) }
        return switch type {
        case .f16: Float(Float16(bitPattern: half()))
        case .bf16: Float(bitPattern: UInt32(half()) << 16)
        default:
            Float(bitPattern: UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
        }
    }
}

/// Bytes of one file.
package struct TensorPart: Sendable, Equatable {
    let file: MappedFile
    let range: Range<Int>

    package static func == (left: TensorPart, right: TensorPart) -> Bool {
        left.file === right.file && left.range == right.range
    }
}

/// Which rows of a matrix are meant where those of two matrices take turns.
package enum RowChoice: Sendable, Equatable {
    case all, even, odd

    /// From one row to the next, and the first.
    var step: Int { self == .all ? 1 : 2 }
    var first: Int { self == .odd ? 1 : 0 }

    /// How many of `rows` they are; nil where turns do not come out even.
    func count(of rows: Int) -> Int? { rows % step == 0 ? rows / step : nil }
}

package import HearthKernelTypes

/// How the bytes of a tensor in safetensors become those that a GGUF file of the model would have.
package enum TensorChange: Sendable, Equatable {
    /// Rows of `heads` heads go from two halves (0, 1, ... h/2, h/2+1, ...) to pairs side by side (0, h/2, 1, h/2+1, ...):
    /// the rotary layout that llama's converters to GGUF chose. A bias is a matrix of one column here.
    case pairRows(heads: Int)
    /// Float32 values plus 1, from values of `type`: Gemma's norms multiply by 1 + w, and GGUF stores the factor itself.
    case addOne(from: ElementType)

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

import Foundation
import HearthJSON
import HearthKernelTypes

/// The factors that stretch rotary positions pair by pair: numbers in `config.json`, tensors in GGUF.
enum RopeFactors {
    /// `rope_scaling`, or `rope_parameters` as newer files call it.
    static func scaling(_ config: ConfigReader) -> ConfigReader? {
        (config["rope_scaling"] ?? config["rope_parameters"]).flatMap {
            $0.objectValue == nil ? nil : ConfigReader(path: config.path, json: $0)
        }
    }

    static func type(_ scaling: ConfigReader) throws(CheckpointError) -> String? {
        let older = try scaling.text(ifPresent: "type")
        let type = try scaling.text(ifPresent: "rope_type") ?? older
        return type == "su" ? "longrope" : type  // Phi-3's first name for it
    }

    static func tensors(_ config: ConfigReader, _ family: ModelFamily) throws(CheckpointError) -> [TensorHandle] {
        guard let scaling = scaling(config), let type = try type(scaling) else { return [] }
        switch type {
        case "llama3":
            return [try tensor("rope_freqs.weight", try llama3(config, scaling), config)]
        case "longrope":
            guard let short = try scaling.doubles(ifPresent: "short_factor"),
                let long = try scaling.doubles(ifPresent: "long_factor"), !short.isEmpty, !long.isEmpty
            else { throw CheckpointError(config.path, .missingKey("rope_scaling.short_factor and long_factor")) }
            return [
                try tensor("rope_factors_short.weight", short.map(Float.init), config),
                try tensor("rope_factors_long.weight", long.map(Float.init), config),
            ]
        default: return []
        }
    }

    /// Grattafiori et al., "The Llama 3 Herd of Models" (2024): short wavelengths stay, long ones are slowed down by
    /// `factor`, those between go over smoothly.
    private static func llama3(_ config: ConfigReader, _ scaling: ConfigReader) throws(CheckpointError) -> [Float] {
        let heads = max(1, try config.int("num_attention_heads"))
        let whole = try config.int("hidden_size")
        let width = try config.int(ifPresent: "head_dim") ?? whole / heads
        guard width > 1, width <= 1 << 24 else {
            throw CheckpointError(config.path, .badSetting(key: "head_dim", value: "\(width)", supported: "2 to 16777216"))
        }
        let newer = try scaling.double(ifPresent: "rope_theta")
        let base = try config.double(ifPresent: "rope_theta") ?? newer ?? 10_000
        let factor = try scaling.double("factor")
        let low = try scaling.double("low_freq_factor")
        let high = try scaling.double("high_freq_factor")
        let trained = try scaling.double("original_max_position_embeddings")
        return (0..<width / 2).map { pair in
            let wavelength = 2 * Double.pi * pow(base, 2 * Double(pair) / Double(width))
            if wavelength < trained / high { return 1 }
            if wavelength > trained / low { return Float(factor) }
            let smooth = (trained / wavelength - low) / (high - low)
            return Float(1 / ((1 - smooth) / factor + smooth))
        }
    }

    private static func tensor(_ name: String, _ values: [Float], _ config: ConfigReader) throws(CheckpointError) -> TensorHandle {
        let file = unsafe try MappedFile(made: values.count * 4, for: config.path) { target in
            unsafe values.map(\.bitPattern.littleEndian).withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        return TensorHandle(name: name, type: .f32, shape: [values.count], byteRange: 0..<file.count, file: file)
    }
}

import Foundation

/// What `generation_config.json` says of sampling and of the tokens that end a reply.
enum GenerationConfig {
    static func read(
        _ folder: URL, _ config: ConfigReader, into metadata: inout MetadataBuilder
    ) throws(CheckpointError) {
        let generation = try ConfigReader(folder, "generation_config.json", required: false)
        // The libraries look at the other numbers only where sampling is asked for.
        if let generation, try generation.bool(ifPresent: "do_sample") == true {
            metadata.set("general.sampling.temp", try generation.double(ifPresent: "temperature"))
            metadata.set("general.sampling.top_k", try generation.int(ifPresent: "top_k"))
            metadata.set("general.sampling.top_p", try generation.double(ifPresent: "top_p"))
            metadata.set("general.sampling.min_p", try generation.double(ifPresent: "min_p"))
            metadata.set("general.sampling.penalty_repeat", try generation.double(ifPresent: "repetition_penalty"))
        }
    }

    /// Ends of a reply: those of `generation_config.json`, else those of `config.json`.
    static func ends(_ folder: URL, _ config: ConfigReader) throws(CheckpointError) -> [Int] {
        let generation = try ConfigReader(folder, "generation_config.json", required: false)
        let ends = try generation?.ints(ifPresent: "eos_token_id") ?? []
        return ends.isEmpty ? try config.ints(ifPresent: "eos_token_id") : ends
    }
}

import HearthBenchKit
import HearthInference
import HearthKernelTypes
import HearthTestSupport
import HearthWeights
import Testing

@Suite("PromptOperations")
struct PromptOperationsTests {
    typealias Products = PromptOperations.Products

    static func operations(_ name: String, quantize: ElementType? = nil) throws -> PromptOperations {
        try PromptOperations(try Checkpoint.open(Fixtures.url(name)), quantize: quantize)
    }

    /// Attention of `heads` and `kv` numbers a token over a width of 64: queries, keys, values, output.
    static func attention(_ heads: Int, _ kv: Int) -> Int { 2 * 64 * (heads + kv + kv + heads) }

    @Test("a layer's matrices count twice their values a token, the output's once a prompt, and looked-up rows not at all")
    func llama() throws {
        // 3 layers: heads 64 and 2 x 16, feed-forward 96 three times.
        let layers = 3 * (Self.attention(64, 32) + 2 * 3 * 64 * 96)
        #expect(layers == 184_320)
        let products = try Self.operations("llama-f32.gguf").products(tokens: 32, batch: 32)
        #expect(
            products == [
                Products(type: .f32, tokens: 32, operations: 32 * layers),
                Products(type: .f32, tokens: 32, operations: 2 * 320 * 64),
            ])
    }

    @Test("an embedding that gives the logits too counts as the output")
    func tied() throws {
        let operations = try Self.operations("gemma3-f32.gguf")
        #expect(operations.output.map(\.operations) == [2 * 371 * 64])
        #expect(operations.everyToken.map(\.operations) == [7 * (Self.attention(128, 32) + 2 * 3 * 64 * 96)])
    }

    @Test("of experts only those count that a token is given to, and their products have as many tokens as they get on average")
    func experts() throws {
        // 2 layers: heads 128 and 4 x 16, a router of 8, and 2 of 8 experts with three matrices of 64 x 32.
        let every = 2 * (Self.attention(128, 64) + 2 * 64 * 8)
        let chosen = 2 * 2 * (2 * 3 * 64 * 32)
        let operations = try Self.operations("qwen3moe-f32.gguf")
        #expect(
            operations.products(tokens: 40, batch: 32) == [
                Products(type: .f32, tokens: 32, operations: 32 * every),
                Products(type: .f32, tokens: 8, operations: 32 * chosen),
                Products(type: .f32, tokens: 8, operations: 8 * every),
                Products(type: .f32, tokens: 2, operations: 8 * chosen),
                Products(type: .f32, tokens: 32, operations: 2 * 320 * 64),
            ])
        // A batch of one has no tile.
        #expect(operations.products(tokens: 1, batch: 32).map(\.tokens) == [1, 1, 1])
        let mixed = try Self.operations("gpt-oss-mxfp4.gguf")
        #expect(mixed.experts.map(\.type) == [.mxfp4])
        // Biases of experts are tables and no matrices.
        #expect(mixed.experts.map(\.operations) == [chosen])
    }

    @Test("a short convolution is no product of matrices, what stands around it is")
    func convolution() throws {
        // 4 layers with feed-forward; 3 of them with a convolution between matrices of 192 x 64 and 64 x 64.
        let operations = try Self.operations("lfm2-f32.gguf")
        let checkpoint = try Checkpoint.open(Fixtures.url("lfm2-f32.gguf"))
        let attention = ["attn_q", "attn_k", "attn_v", "attn_output"].reduce(0) {
            $0 + 2 * (checkpoint.tensor("blk.2.\($1).weight")?.count ?? 0)
        }
        #expect(attention > 0)
        #expect(operations.everyToken.map(\.operations) == [3 * 2 * (192 + 64) * 64 + attention + 4 * 2 * 3 * 64 * 96])
    }

    @Test("each type has a count of its own, and what is brought into another type counts as that")
    func types() throws {
        let mixed = try Self.operations("quant-q4_k_m.gguf")
        #expect(mixed.everyToken.map(\.type).contains(.q4_k))
        #expect(mixed.output.map(\.type) == [.q6_k])
        // 2 layers of width 256: four matrices of 256 rows, of which two have 128, and three of 256 rows.
        let rows = 256 + 128 + 128 + 256 + 3 * 256
        #expect(mixed.everyToken.map(\.operations).reduce(0, +) == 2 * 2 * 256 * rows)
        let brought = try Self.operations("llama-f32.gguf", quantize: .q8_0)
        #expect(brought.everyToken.map(\.type) == [.q8_0])
        #expect(brought.output.map(\.type) == [.q8_0])
    }

    @Test("batches count their tokens, the last one what is left")
    func batches() throws {
        let operations = try Self.operations("llama-f32.gguf")
        let each = operations.everyToken[0].operations
        func batches(_ tokens: Int, _ batch: Int) -> [[Int]] {
            operations.products(tokens: tokens, batch: batch).dropLast().map { [$0.tokens, $0.operations / each] }
        }
        #expect(batches(512, 256) == [[256, 512]])
        #expect(batches(600, 256) == [[256, 512], [88, 88]])
        #expect(batches(16, 256) == [[16, 16]])
        #expect(operations.products(tokens: 0, batch: 256).isEmpty)
    }
}

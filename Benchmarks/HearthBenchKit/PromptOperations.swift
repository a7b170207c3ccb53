package import HearthKernelTypes
package import HearthWeights
import HearthInference

/// Multiplications and additions that a model's matrices make of a prompt: twice the values of each matrix that a token is
/// multiplied by. Attention, norms and the rest are no part of it.
package struct PromptOperations: Sendable {
    /// Operations of one type of weights with one token.
    package struct Part: Sendable, Equatable {
        package let type: ElementType
        package let operations: Int
    }

    /// What every token is multiplied by.
    package let everyToken: [Part]
    /// What a token's experts make of it.
    package let experts: [Part]
    /// The output matrix: for tokens whose logits are made, of a prompt the last one.
    package let output: [Part]
    /// Of a layer's experts, and of these a token's; 0 where there are none.
    private let expertCount: Int
    private let expertsUsed: Int

    /// - Parameter quantize: what matrices of floats become.
    package init(_ checkpoint: Checkpoint, quantize: ElementType? = nil) throws {
        let key = try checkpoint.metadata.text("general.architecture") + "."
        // Loading refuses what is out of range; this must only not trap on it.
        expertCount = max(0, try checkpoint.metadata.int(ifPresent: key + "expert_count") ?? 0)
        expertsUsed = min(max(0, try checkpoint.metadata.int(ifPresent: key + "expert_used_count") ?? expertCount), expertCount)
        var (everyToken, experts, output): ([Part], [Part], [Part]) = ([], [], [])
        let isTied = checkpoint.tensor("output.weight") == nil
        for tensor in checkpoint.tensors where Self.isMultiplied(tensor) {
            let type = quantize.flatMap { QuantisePlan.type(of: tensor, asked: $0) } ?? tensor.type
            switch tensor.name {
            case "token_embd.weight":
                // Rows that are looked up, unless it gives the logits too.
                if isTied { output.add(2 * tensor.count, of: type) }
            case "output.weight": output.add(2 * tensor.count, of: type)
            case let name where expertCount > 0 && name.contains("_exps."):
                experts.add(2 * (tensor.count / expertCount * expertsUsed), of: type)
            default: everyToken.add(2 * tensor.count, of: type)
            }
        }
        (self.everyToken, self.experts, self.output) = (everyToken, experts, output)
    }

    /// Matrices, and stacks of them; no tables of biases, and not the three columns of a short convolution.
    private static func isMultiplied(_ tensor: TensorHandle) -> Bool {
        tensor.shape.count >= 2 && tensor.name.hasSuffix(".weight") && !tensor.name.contains("shortconv.conv")
    }

    /// Operations of one type in products of so many tokens.
    package struct Products: Sendable, Equatable {
        package let type: ElementType
        package let tokens: Int
        package let operations: Int

        package init(type: ElementType, tokens: Int, operations: Int) {
            self.type = type
            self.tokens = tokens
            self.operations = operations
        }
    }

    /// A prompt of `tokens` tokens, `batch` at a time. Experts share a batch's tokens; the output's product of one token is taken
    /// for one of a batch.
    package func products(tokens: Int, batch: Int) -> [Products] {
        guard tokens > 0, batch > 0 else { return [] }
        var products: [Products] = []
        for size in Set([min(batch, tokens), tokens % batch]).subtracting([0]).sorted(by: >) {
            let all = size == batch ? tokens / batch * batch : size
            products += everyToken.map { Products(type: $0.type, tokens: size, operations: $0.operations * all) }
            // On average, and at least two where the batch has so many: a tile.
            let each = max(min(2, size), size * expertsUsed / max(1, expertCount))
            products += experts.map { Products(type: $0.type, tokens: each, operations: $0.operations * all) }
        }
        return products + output.map { Products(type: $0.type, tokens: min(batch, tokens), operations: $0.operations) }
    }
}

extension [PromptOperations.Part] {
    fileprivate mutating func add(_ operations: Int, of type: ElementType) {
        let before = first { $0.type == type }?.operations ?? 0
        let part = PromptOperations.Part(type: type, operations: before + operations)
        if let index = firstIndex(where: { $0.type == type }) { self[index] = part } else { append(part) }
    }
}

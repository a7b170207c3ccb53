import HearthKernels

/// What a pass over experts works in, made once: the router's logits, its choices, and the tokens of one expert.
@safe final class ExpertBuffers {
    /// `[capacity, experts]`
    let logits: UnsafeMutablePointer<Float>
    /// What an expert returns, `[capacity, width]`.
    let output: UnsafeMutablePointer<Float>
    private let chosenInput: Activations
    private let width: Int
    private let buffers: [Vector]

    /// Experts and weights of each token, `[tokens, used]`, by descending logit.
    private(set) var choices: [(expert: Int, weight: Float)] = []
    private var used = 0
    /// The tokens that the gathered expert was chosen for, in order, with its weights.
    private(set) var gathered: [(token: Int, weight: Float)] = []

    /// - Parameter experts: of the layer with the most.
    init(capacity: Int, width: Int, experts: Int, compute: Compute) throws(KernelError) {
        self.width = width
        chosenInput = try Activations(capacity: capacity, columns: width, compute: compute)
        buffers = [Vector(count: capacity * experts), Vector(count: capacity * width)]
        unsafe logits = buffers[0].values
        unsafe output = buffers[1].values
        choices.reserveCapacity(capacity * experts)
        gathered.reserveCapacity(capacity)
    }

    /// The `used` largest of each token's logits and the softmax over them.
    func choose(_ used: Int, of experts: Int, tokens: Int) {
        self.used = used
        choices.removeAll(keepingCapacity: true)
        for token in 0..<tokens {
            let row = unsafe logits + token * experts
            let first = choices.count
            for expert in 0..<experts {
                let logit = unsafe row[expert]
                // Never true for a NaN, which stays where it is and shows in the softmax.
                if choices.count == first + used {
                    guard logit > choices[choices.count - 1].weight else { continue }
                    choices.removeLast()
                }
                // Behind those that are as large.
                var place = choices.count
                while place > first, choices[place - 1].weight < logit { place -= 1 }
                choices.insert((expert, logit), at: place)
            }
            let largest = choices[first].weight
            var sum = 0.0
            for index in first..<choices.count { sum += Mathematics.exp(Double(choices[index].weight - largest)) }
            for index in first..<choices.count {
                choices[index].weight = Float(Mathematics.exp(Double(choices[index].weight - largest)) / sum)
            }
        }
    }

    /// Notes which tokens chose an expert, and says how many.
    func gather(_ expert: Int, tokens: Int) -> Int {
        gathered.removeAll(keepingCapacity: true)
        for token in 0..<tokens {
            for index in token * used..<(token + 1) * used where choices[index].expert == expert {
                gathered.append((token, choices[index].weight))
            }
        }
        return gathered.count
    }

    /// The gathered tokens' rows, side by side.
    func input(from values: Activations) -> Activations {
        for (row, chosen) in gathered.enumerated() {
            unsafe chosenInput[row].update(from: values[chosen.token], count: width)
        }
        chosenInput.changed()
        return chosenInput
    }

    /// Adds the weighted rows of `output` to those of their tokens.
    func scatter(to branch: UnsafeMutablePointer<Float>) {
        for (row, chosen) in gathered.enumerated() {
            let (from, to) = unsafe (output + row * width, branch + chosen.token * width)
            for index in 0..<width { unsafe to[index] += chosen.weight * from[index] }
        }
    }
}

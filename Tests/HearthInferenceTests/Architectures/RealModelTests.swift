import Foundation
import HearthInference
import HearthTestSupport
import HearthTokens
import HearthWeights
import Testing

/// The default model over texts, against float64 arithmetic on the weights in its file (`references/exact`).
@Suite struct RealModelTests {
    struct Exact: Decodable {
        let tokens: [Token]
        let first: [Token]
        let margin: [Float]
        let mean_nll: Double
    }

    /// Where the exact margin is 0.5 or more the first choice is the same; the mean is within 0.02 (Fixtures/README.md).
    @Test(
        "the default model's first choices and likelihood are the exact ones",
        .enabled(if: Store.has(Store.defaultModel), "run `make test` to fetch the default model"),
        arguments: ["prose", "code"])
    func exact(text: String) async throws {
        let exact = try JSONDecoder().decode(
            Exact.self, from: Fixtures.bytes("references/exact/smollm2-135m-instruct-q4_1.\(text).json"))
        let generator = try await Generator.load(options: ModelOptions()) { try Checkpoint.open(Store.defaultModel) }
        let report = try await generator.score(exact.tokens)
        for index in exact.first.indices where exact.margin[index] >= 0.5 {
            #expect(report.positions[index].first == exact.first[index], "position \(index)")
        }
        let likelihoods = report.positions.compactMap(\.logProbability)
        #expect(likelihoods.count == exact.tokens.count - 1)
        let mean = -likelihoods.reduce(0.0) { $0 + Double($1) } / Double(likelihoods.count)
        #expect(abs(mean - exact.mean_nll) < 0.02, "\(mean), exactly \(exact.mean_nll)")
    }
}

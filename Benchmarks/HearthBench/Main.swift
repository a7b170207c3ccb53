import HearthBenchKit

/// The benchmark: `HearthBenchKit` measures.
@main
struct Main {
    static func main() async {
        await BenchProgram.main()
    }
}

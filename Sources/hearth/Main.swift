import HearthCommands

/// The command line: `HearthCommands` has the verbs.
@main
struct Main {
    static func main() async {
        await Program.main()
    }
}

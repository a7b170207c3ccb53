import FoundationModels
import HearthJSON

/// Prints things that checks in other languages look at:
///
///     Specimens schemas    a line of JSON for each schema, with values that it admits and refuses
///     Specimens prompt     a prompt written by a template
@main
struct Specimens {
    struct Usage: Error {}

    static func main() throws {
        switch CommandLine.arguments.dropFirst().first {
        case "schemas": for specimen in try SchemaSpecimen.all() { print(try specimen.json().text(.compact)) }
        case "prompt": print(try PromptSpecimen.text())
        default: throw Usage()
        }
    }
}

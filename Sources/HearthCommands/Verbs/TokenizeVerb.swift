import HearthJSON
import HearthTokenizers
import HearthTokens

/// `hearth tokenize TEXT`: the ids of a text.
struct TokenizeVerb {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws {
        let tokenizer = try ModelTokenizer(try ModelArgument.file(arguments.text("--model"))).tokenizer
        let bytes = Array((arguments.operand ?? "").utf8)
        let ids =
            arguments.flag("--special")
            ? tokenizer.framed(try tokenizer.encode(bytes, control: .recognised))
            : try tokenizer.encode(bytes, control: .asText)
        if arguments.flag("--json") {
            try StandardOutput.write(try Self.report(ids, tokenizer).text(.compact) + "\n")
        } else {
            try StandardOutput.write(ids.map(String.init).joined(separator: " ") + "\n")
        }
    }

    static func report(_ ids: [Token], _ tokenizer: Tokenizer) -> JSON {
        [
            "count": .integer(Int64(ids.count)),
            "ids": .array(ids.map { .integer(Int64($0)) }),
            // A piece may be a part of a character: what is no text shows as U+FFFD here, and only here.
            "pieces": .array(
                ids.map { id in
                    .string(
                        unsafe tokenizer.vocabulary.withBytes(of: id) { unsafe String(decoding: $0, as: UTF8.self) })
                }),
        ]
    }
}

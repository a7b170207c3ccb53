import Foundation
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthTemplates
import HearthWeights

/// `hearth show MODEL`: what a model file says about itself, without reading its weights.
struct ShowVerb {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws {
        let checkpoint = try Checkpoint.open(try ModelArgument.file(arguments.operand ?? ""))
        if arguments.flag("--json") {
            try StandardOutput.write(Self.report(checkpoint).text(.compact) + "\n")
        } else {
            try StandardOutput.write(try Self.page(checkpoint))
        }
    }

    /// Arrays of at most this many elements are shown whole; of longer ones (vocabularies) the length.
    static let longestShown = 16

    static func report(_ checkpoint: Checkpoint) throws -> JSON {
        var metadata = JSONObject()
        for (key, value) in checkpoint.metadata.entries where key != templateKey { metadata[key] = json(value) }
        let template = try checkpoint.metadata.text(ifPresent: templateKey)
        let (capabilities, trouble) = capabilities(template)
        return [
            "file": .string(checkpoint.file.path),
            "bytes": .integer(Int64(checkpoint.byteCount)),
            "format": .string(checkpoint.format),
            "use": use(checkpoint),
            "metadata": .object(metadata),
            "tensors": tensors(checkpoint),
            "template": template.map { .string($0) } ?? .null,
            "template_error": trouble.map { .string($0) } ?? .null,
            "capabilities": .array(capabilities.map { .string($0) }),
        ]
    }

    /// What the file is good for here; why not where it is good for nothing.
    private static func use(_ checkpoint: Checkpoint) -> JSON {
        switch ModelUse(checkpoint) {
        case .text: ["for": "text", "why": .null]
        case .vectors: ["for": "embeddings", "why": .null]
        case .tokens: ["for": "tokens", "why": "the file has a vocabulary and no weights"]
        case .nothing(let error): ["for": .null, "why": .string(error.description)]
        }
    }

    static let templateKey = "tokenizer.chat_template"

    /// What the chat template can do with a conversation; a template that cannot be used is told, not hidden.
    private static func capabilities(_ source: String?) -> ([String], trouble: String?) {
        guard let source else { return ([], nil) }
        do throws(TemplateError) {
            let can = try Template(source: source).capabilities()
            let words = [
                ("chat", true), ("system", can.takesSystem), ("tools", can.takesTools),
                ("tool_calls", can.takesToolCalls),
                ("reasoning", can.takesReasoning),
            ]
            return (words.filter(\.1).map(\.0), nil)
        } catch { return ([], error.description) }
    }

    /// Counts and bytes by type, in the order in which the types first appear.
    private static func tensors(_ checkpoint: Checkpoint) -> JSON {
        var order: [ElementType] = []
        var sums: [ElementType: (count: Int, bytes: Int)] = [:]
        for tensor in checkpoint.tensors {
            if sums[tensor.type] == nil { order.append(tensor.type) }
            let sum = sums[tensor.type] ?? (0, 0)
            sums[tensor.type] = (sum.count + 1, sum.bytes + tensor.byteCount)
        }
        var types = JSONObject()
        for type in order {
            guard let sum = sums[type] else { continue }
            types[type.name] = ["count": .integer(Int64(sum.count)), "bytes": .integer(Int64(sum.bytes))]
        }
        let values = checkpoint.tensors.reduce(0) { $0 + $1.count }
        return [
            "count": .integer(Int64(checkpoint.tensors.count)), "values": .integer(Int64(values)),
            "types": .object(types),
        ]
    }

    static func page(_ checkpoint: Checkpoint) throws -> String {
        let report = try Self.report(checkpoint)
        var lines = "\(checkpoint.file.path)\n"
        lines += "\(report["format"]?.stringValue ?? ""), \(checkpoint.byteCount) bytes\n"
        let (use, why) = (report["use"]?["for"]?.stringValue, report["use"]?["why"]?.stringValue)
        lines += use.map { "runs here, for \($0)" } ?? "does not run here"
        lines += (why.map { ": \($0)" } ?? "") + "\n\nmetadata\n"
        for member in report["metadata"]?.objectValue ?? JSONObject() {
            let text = member.value.stringValue ?? member.value.description
            // A text of several lines would break the list.
            lines += "  \(member.key): \(text.contains(where: \.isNewline) ? JSON.string(text).description : text)\n"
        }
        lines += "\ntensors: \(checkpoint.tensors.count), values: \(report["tensors"]?["values"]?.intValue ?? 0)\n"
        for member in report["tensors"]?["types"]?.objectValue ?? JSONObject() {
            lines +=
                "  \(member.key): \(member.value["count"]?.intValue ?? 0), \(member.value["bytes"]?.intValue ?? 0) bytes\n"
        }
        let can = report["capabilities"]?.arrayValue?.compactMap(\.stringValue) ?? []
        lines += "\nthe template can do: \(can.isEmpty ? "nothing" : can.joined(separator: ", "))\n"
        if let trouble = report["template_error"]?.stringValue { lines += "the template cannot be used: \(trouble)\n" }
        guard let template = report["template"]?.stringValue else { return lines + "\nno chat template\n" }
        return lines + "\nchat template\n" + template + (template.hasSuffix("\n") ? "" : "\n")
    }

    static func json(_ value: MetadataValue) -> JSON {
        switch value {
        case .unsigned(let number, _): Int64(exactly: number).map { .integer($0) } ?? .number(Double(number))
        case .signed(let number, _): .integer(number)
        // Infinity and no-number have no JSON form: their words do.
        case .float(let number, .float32): shortest(Float(number)).map { .number($0) } ?? .string("\(number)")
        case .float(let number, _): number.isFinite ? .number(number) : .string("\(number)")
        case .bool(let flag): .bool(flag)
        case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .numbers(let array): array.count > longestShown ? length(value, array.count) : .array(array.map(json))
        case .strings(let array):
            array.count > longestShown
                ? length(value, array.count) : .array(array.map { .string(String(decoding: $0, as: UTF8.self)) })
        case .arrays(let items): items.count > longestShown ? length(value, items.count) : .array(items.map(json))
        }
    }

    /// The shortest decimal that is this Float32: 1e-05, where the Double of the same value has seventeen digits.
    private static func shortest(_ number: Float) -> Double? { number.isFinite ? Double("\(number)") : nil }

    private static func length(_ value: MetadataValue, _ count: Int) -> JSON {
        ["kind": .string(value.kindName), "count": .integer(Int64(count))]
    }
}

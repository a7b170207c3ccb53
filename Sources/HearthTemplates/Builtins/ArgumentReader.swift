/// Finds the arguments of a filter or method by place or by name, as Python does.
struct ArgumentReader {
    private let function: String
    private let names: [String]
    private var values: [Value?]
    private let renderer: Renderer

    init(
        _ function: String, _ arguments: CallArguments, _ names: [String], _ renderer: Renderer
    ) throws(TemplateError) {
        (self.function, self.names, self.renderer) = (function, names, renderer)
        values = Array(repeating: nil, count: names.count)
        guard arguments.positional.count <= names.count else {
            throw renderer.fail(
                .badArguments(
                    function: function,
                    problem: "takes at most \(names.count) \(names.count == 1 ? "value" : "values"), "
                        + "not \(arguments.positional.count)"))
        }
        for (place, value) in arguments.positional.enumerated() { values[place] = value }
        for (name, value) in arguments.named {
            guard let place = names.firstIndex(of: name) else {
                throw renderer.fail(.badArguments(function: function, problem: "takes no argument named `\(name)`"))
            }
            guard values[place] == nil else {
                throw renderer.fail(.badArguments(function: function, problem: "is given `\(name)` twice"))
            }
            values[place] = value
        }
    }

    func optional(_ place: Int) -> Value? { values[place] }

    func value(_ place: Int) throws(TemplateError) -> Value {
        guard let value = values[place] else {
            throw renderer.fail(.badArguments(function: function, problem: "needs `\(names[place])`"))
        }
        return value
    }

    private func wrong(_ place: Int, _ wanted: String, _ value: Value) -> TemplateError {
        if case .undefined(let undefined) = value { return renderer.fail(undefined.cause) }
        return renderer.fail(
            .badArguments(function: function, problem: "needs \(wanted) as `\(names[place])`, not \(value.kind)"))
    }

    func text(_ place: Int) throws(TemplateError) -> Text {
        let value = try value(place)
        guard case .text(let text) = value else { throw wrong(place, "a text", value) }
        return text
    }

    /// Nil when it is left out or none.
    func optionalText(_ place: Int) throws(TemplateError) -> Text? {
        guard let value = values[place], !value.isNone else { return nil }
        guard case .text(let text) = value else { throw wrong(place, "a text", value) }
        return text
    }

    /// Nil when it is left out or none.
    func optionalInteger(_ place: Int) throws(TemplateError) -> Int? {
        guard let value = values[place], !value.isNone else { return nil }
        return try integer(place)
    }

    func integer(_ place: Int, _ standard: Int? = nil) throws(TemplateError) -> Int {
        guard let value = values[place] else {
            if let standard { return standard }
            return try self.value(place).integer ?? 0
        }
        guard let number = value.integer else { throw wrong(place, "an integer", value) }
        return number
    }

    func flag(_ place: Int, _ standard: Bool = false) -> Bool { values[place]?.isTrue ?? standard }
}

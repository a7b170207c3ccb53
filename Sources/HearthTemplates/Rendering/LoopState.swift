/// The `loop` of a `for`: items are taken one at a time, so that a condition on them sees what the body did before.
final class LoopState {
    let syntax: Loop
    /// The scope around the loop, for calling it again with inner items.
    let scope: Scope
    let level: Int
    private let pull: () throws(TemplateError) -> Value?
    private var ahead: [Value] = []
    private var aheadStart = 0
    private var isAtEnd = false
    private let knownCount: Int?
    private(set) var index0 = -1
    private(set) var current: Value?
    private(set) var previous: Value?
    var lastChanged: [Value]?

    init(
        _ syntax: Loop, _ scope: Scope, level: Int, count: Int?, pull: @escaping () throws(TemplateError) -> Value?
    ) {
        (self.syntax, self.scope, self.level, self.knownCount, self.pull) = (syntax, scope, level, count, pull)
    }

    private func take() throws(TemplateError) -> Value? {
        if isAtEnd { return nil }
        let value = try pull()
        if value == nil { isAtEnd = true }
        return value
    }

    func advance() throws(TemplateError) -> Value? {
        let value: Value?
        if aheadStart < ahead.count {
            value = ahead[aheadStart]
            aheadStart += 1
        } else {
            value = try take()
        }
        guard let value else { return nil }
        index0 += 1
        previous = current
        current = value
        return value
    }

    /// The item of the next turn; nil at the last one.
    func next() throws(TemplateError) -> Value? {
        if aheadStart == ahead.count {
            guard let value = try take() else { return nil }
            ahead = [value]
            aheadStart = 0
        }
        return ahead[aheadStart]
    }

    /// All turns; items that have no count beforehand are taken to the last.
    func count() throws(TemplateError) -> Int {
        if let knownCount { return knownCount }
        while let value = try take() { ahead.append(value) }
        return index0 + 1 + ahead.count - aheadStart
    }
}

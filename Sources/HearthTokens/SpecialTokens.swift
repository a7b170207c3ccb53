/// The tokens with a part to play, and which of them the model wants around its input.
package struct SpecialTokens: Sendable, Equatable {
    package var bos: Token?
    package var eos: Token?
    /// Ends a turn of a conversation (`<|im_end|>`, `<|eot_id|>`), where that is not `eos`.
    package var endOfTurn: Token?
    /// Ends a message that waits for a tool (`<|eom_id|>`).
    package var endOfMessage: Token?
    package var unknown: Token?
    package var separator: Token?
    package var padding: Token?
    package var mask: Token?

    package var addBOS: Bool
    package var addEOS: Bool
    package var addSeparator: Bool

    /// Every token after which a reply is over, in rising order.
    package var ends: [Token]

    package init(
        bos: Token? = nil, eos: Token? = nil, endOfTurn: Token? = nil, endOfMessage: Token? = nil,
        unknown: Token? = nil, separator: Token? = nil, padding: Token? = nil, mask: Token? = nil,
        addBOS: Bool = false, addEOS: Bool = false, addSeparator: Bool = false, ends: [Token] = []
    ) {
        self.bos = bos
        self.eos = eos
        self.endOfTurn = endOfTurn
        self.endOfMessage = endOfMessage
        self.unknown = unknown
        self.separator = separator
        self.padding = padding
        self.mask = mask
        self.addBOS = addBOS
        self.addEOS = addEOS
        self.addSeparator = addSeparator
        self.ends = Set(ends + [eos, endOfTurn, endOfMessage].compactMap(\.self)).sorted()
    }

    /// The roles that are filled, with their names in messages.
    var named: [(name: String, token: Token)] {
        let roles: [(String, Token?)] = [
            ("bos", bos), ("eos", eos), ("end of turn", endOfTurn), ("end of message", endOfMessage),
            ("unknown", unknown), ("separator", separator), ("padding", padding), ("mask", mask),
        ]
        return roles.compactMap { name, token in token.map { (name, $0) } } + ends.map { ("end", $0) }
    }
}

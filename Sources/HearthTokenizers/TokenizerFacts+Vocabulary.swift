import HearthTokens

/// How a file spells the bytes of its ordinary pieces.
enum Spelling {
    /// GPT-2's printable bytes.
    case byteAlphabet
    /// UTF-8 with `▁` for a space.
    case metaspace
}

extension TokenizerFacts {
    /// The vocabulary with the bytes that pieces stand for in a text.
    /// - Parameters: what holds where the file does not say.
    func vocabulary(
        spelled spelling: Spelling, addsBOS: Bool = false, addsEOS: Bool = false, addsSeparator: Bool = false
    ) throws(TokenizerError) -> Vocabulary {
        if !kinds.isEmpty, kinds.count != pieces.count {
            throw .vocabulary(.kindsMiscounted(kinds: kinds.count, pieces: pieces.count))
        }
        var decoded: [[UInt8]] = []
        decoded.reserveCapacity(pieces.count)
        for (index, piece) in pieces.enumerated() {
            let kind = kinds.isEmpty ? .normal : kinds[index]
            decoded.append(Self.decode(piece, kind, spelling))
        }
        let special = SpecialTokens(
            bos: bos, eos: eos, endOfTurn: endOfTurn ?? firstPiece(of: Self.endsOfTurn),
            endOfMessage: endOfMessage ?? firstPiece(of: ["<|eom_id|>"]),
            unknown: unknown, separator: separator, padding: padding, mask: mask,
            addBOS: addBOS ?? addsBOS, addEOS: addEOS ?? addsEOS, addSeparator: addSeparator ?? addsSeparator,
            ends: ends)
        do {
            return try Vocabulary(pieces: decoded, kinds: kinds, scores: scores, special: special)
        } catch {
            throw .vocabulary(error)
        }
    }

    private static func decode(_ piece: [UInt8], _ kind: TokenKind, _ spelling: Spelling) -> [UInt8] {
        switch kind {
        case .control, .userDefined, .unknown:
            return piece
        case .byte:
            return byte(spelled: piece).map { [$0] } ?? piece
        case .normal, .unused:
            switch spelling {
            case .byteAlphabet: return ByteAlphabet.decode(piece)
            case .metaspace: return Metaspace.toSpaces(piece)
            }
        }
    }

    /// The byte that `<0xE2>` spells.
    private static func byte(spelled piece: [UInt8]) -> UInt8? {
        guard piece.count == 6, piece.starts(with: "<0x".utf8), piece[5] == UInt8(ascii: ">") else { return nil }
        return UInt8(String(decoding: piece[3...4], as: UTF8.self), radix: 16)
    }

    /// Pieces that end a turn, for files that do not say which one does; the first that is there.
    private static let endsOfTurn = [
        "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>", "<EOT>", "_<EOT>",
        "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>", "<turn|>",
    ]

    /// Pieces after which a reply is over, whatever else the file says.
    private static let alwaysEnds = endsOfTurn + [
        "<|return|>", "<|call|>", "<|calls|>", "<|flush|>", "</s>", "<|eom_id|>", "[EOS]", "<eos>", "<|tool_response>",
        "[e~[", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>",
    ]

    private func firstPiece(of texts: [String]) -> Token? {
        for text in texts {
            if let token = marker(text) { return token }
        }
        return nil
    }

    /// The added piece with this text. Ordinary pieces are no markers, whatever they look like.
    private func marker(_ text: String) -> Token? {
        let bytes = Array(text.utf8)
        let index = pieces.indices.first { index in
            !kinds.isEmpty && (kinds[index] == .control || kinds[index] == .userDefined) && pieces[index] == bytes
        }
        return index.flatMap { Token(exactly: $0) }
    }

    /// The end tokens that are known by their text: files name one or two, and models use more.
    private var ends: [Token] {
        var found = Set(Self.alwaysEnds.compactMap { marker($0) })
        // In the harmony format `<|end|>` ends a message and the reply goes on.
        if marker("<|return|>") != nil, marker("<|call|>") != nil, let end = marker("<|end|>") { found.remove(end) }
        if marker("<|flush|>") != nil, marker("<|calls|>") != nil, let end = marker("<|end|>") { found.remove(end) }
        return found.sorted()
    }
}

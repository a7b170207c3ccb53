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
        // A piece that ends a reply is a control piece, whatever the file calls it: the reference has it so, and what a
        // user typed never becomes one.
        let markers = markers()
        var kinds = self.kinds
        for token in markers.values { kinds[Int(token)] = .control }
        var decoded: [[UInt8]] = []
        decoded.reserveCapacity(pieces.count)
        var unreachable: [Int] = []
        for (index, piece) in pieces.enumerated() {
            switch kinds.isEmpty ? .normal : kinds[index] {
            case .control, .userDefined, .unknown:
                decoded.append(piece)
            case .byte:
                decoded.append(Self.byte(spelled: piece).map { [$0] } ?? piece)
            case .normal, .unused:
                if spelling == .metaspace {
                    decoded.append(Metaspace.toSpaces(piece.span))
                    continue
                }
                var bytes: [UInt8] = []
                bytes.reserveCapacity(piece.count)
                if !ByteAlphabet.decode(piece.span, into: &bytes) { unreachable.append(index) }
                decoded.append(bytes)
            }
        }
        let special = SpecialTokens(
            bos: bos, eos: eos, endOfTurn: endOfTurn ?? Self.endsOfTurn.lazy.compactMap { markers[$0] }.first,
            endOfMessage: endOfMessage ?? markers["<|eom_id|>"],
            unknown: unknown, separator: separator, padding: padding, mask: mask,
            addBOS: addBOS ?? addsBOS, addEOS: addEOS ?? addsEOS, addSeparator: addSeparator ?? addsSeparator,
            ends: Array(markers.values))
        do {
            return try Vocabulary(
                pieces: decoded, kinds: kinds, scores: scores, special: special, unreachable: unreachable)
        } catch {
            throw .vocabulary(error)
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
    private static let alwaysEnds =
        endsOfTurn + [
            "<|return|>", "<|call|>", "<|calls|>", "<|flush|>", "</s>", "<|eom_id|>", "[EOS]", "<eos>",
            "<|tool_response>",
            "[e~[", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>",
        ]

    /// The pieces that end something, by their text: files name one or two, and models use more.
    private func markers() -> [String: Token] {
        let wanted = Set(Self.alwaysEnds)
        let longest = wanted.map(\.utf8.count).max() ?? 0
        var found: [String: Token] = [:]
        for index in kinds.indices {
            guard pieces[index].first == 0x3C || pieces[index].first == 0x5B || pieces[index].first == 0x5F,  // < [ _
                pieces[index].count <= longest, let token = Token(exactly: index)
            else { continue }
            let text = String(decoding: pieces[index], as: UTF8.self)
            if wanted.contains(text), found[text] == nil { found[text] = token }
        }
        // In the harmony format, and Solar's, `<|end|>` ends a message and the reply goes on.
        let harmony = [["<|return|>", "<|call|>"], ["<|flush|>", "<|calls|>"]]
        if harmony.contains(where: { $0.allSatisfy { found[$0] != nil } }) { found["<|end|>"] = nil }
        // Gemma 4 has tool markers of its own, and `</s>` is HTML.
        if found["<|tool_response>"] != nil { found["</s>"] = nil }
        return found
    }
}

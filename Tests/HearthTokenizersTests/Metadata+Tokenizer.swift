import HearthTokenizers
package import HearthWeights

/// As in `HearthLocal`, which is above the room under test.
extension Metadata: TokenizerMetadata {
    package func text(at key: String) throws -> String? { try text(ifPresent: key) }

    package func texts(at key: String) throws -> [[UInt8]]? { try strings(ifPresent: key).map(Array.init) }

    package func number(at key: String) throws -> Int? { try int(ifPresent: key) }

    package func numbers(at key: String) throws -> [Int]? { try ints(ifPresent: key) }

    package func reals(at key: String) throws -> [Float]? { try floats(ifPresent: key) }

    package func flag(at key: String) throws -> Bool? { try bool(ifPresent: key) }
}

package import Foundation
package import HearthModels

/// The file that `--model` or MODEL means: a name of the catalogue that was fetched, or a path.
package enum ModelArgument {
    /// Whether a word is a model's name, or the path of a model file, and can hardly be anything else.
    package static func isName(_ word: String) -> Bool {
        Catalogue.builtIn.entry(word) != nil || (word.hasSuffix(".gguf") && !word.contains(" "))
    }

    package static func file(_ argument: String?, store: ModelStore = .standard()) throws -> URL {
        try store.file(for: argument ?? store.catalogue.default)
    }
}

package import Foundation
package import HearthModels

/// The file that `--model` or MODEL means: a name of the catalogue that was fetched, or a path.
package enum ModelArgument {
    package static func file(_ argument: String?, store: ModelStore = .standard()) throws -> URL {
        try store.file(for: argument ?? store.catalogue.default)
    }
}

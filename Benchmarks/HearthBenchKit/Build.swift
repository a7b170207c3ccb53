import Foundation

/// Which build is measured. `make bench` says it in the environment; a program does not know its own commit.
enum Build {
    static var commit: String {
        ProcessInfo.processInfo.environment["HEARTH_COMMIT"].flatMap { $0.isEmpty ? nil : $0 } ?? "unknown"
    }
}

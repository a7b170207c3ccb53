import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first asks the work to stop, the second, or a second of waiting, leaves at once.
///
/// Work registers what stopping means (`onStop`); between the two it can ask `asked`. Loading a model has no point where it
/// could stop half-way, so the deadline ends the process there; nothing half-written is left behind, since files of the
/// store are renamed into place.
package final class Signals: Sendable {
    package static let shared = Signals()

    private struct State {
        var asked: Int32?
        var stop: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.signals")
    /// Kept so that they go on; written once, by `install` at the start of the program.
    nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

    /// How long work may take to stop after the first signal.
    static let grace = DispatchTimeInterval.milliseconds(1000)

    /// Takes the signals over; SIGPIPE becomes an error number of `write`.
    package func install() {
        _ = signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] {
            // A parent that runs us in the background may have it ignored: leave that be.
            guard !Signals.isIgnored(number) else { continue }
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in receive(number) }
            source.resume()
            unsafe sources.append(source)
        }
    }

    /// The signal that came, if one did.
    package var asked: CommandError? {
        state.withLock { $0.asked }.map { $0 == SIGTERM ? .terminated : .interrupted }
    }

    /// Sets what the first signal does; called at once when it came already.
    package func onStop(_ stop: @escaping @Sendable () -> Void) {
        let came = state.withLock { state in
            state.stop = stop
            return state.asked != nil
        }
        if came { stop() }
    }

    /// Runs work whose task the first signal cancels, and tells a cancelled one as the signal that did it.
    package func stoppable<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) async throws -> R {
        let task = Task { try await work() }
        onStop { task.cancel() }
        defer { state.withLock { $0.stop = nil } }
        do { return try await task.value } catch is CancellationError {
            throw asked ?? .interrupted
        }
    }

    private func receive(_ number: Int32) {
        let (first, stop) = state.withLock { state in
            defer { state.asked = state.asked ?? number }
            return (state.asked == nil, state.stop)
        }
        let status = number == SIGTERM ? ExitCode.terminated : ExitCode.interrupted
        guard first else { _exit(status.rawValue) }
        stop?()
        queue.asyncAfter(deadline: .now() + Self.grace) { _exit(status.rawValue) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is the address 1.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

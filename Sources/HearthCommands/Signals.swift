import Foundation
import Glibc
import HearthLocks

/// Ctrl-C and SIGTERM: the first asks the work to stop, the second, or a second of waiting, leaves at once.
///
/// Work registers what stopping means (`onStop`); between the two it can ask `asked`. Loading a model has no point where it
/// could stop half-way, so the deadline ends the process there; nothing half-written is left behind, since files of the
/// store are renamed into place and unfinished ones of a verb are removed on the way out.
package final class Signals: Sendable {
    package static let shared = Signals()

    private struct State {
        var asked: Int32?
        var stop: (@Sendable () -> Void)?
    }
    private let state = Locked(State())

    /// How long work may take to stop after the first signal, in milliseconds. A fetch gives its child a moment to end.
    static let grace: Int32 = 1000
    /// Where the handler writes the number of a signal; `pipe` of the system, made once by `install`.
    nonisolated(unsafe) private static var ends: [Int32] = [-1, -1]

    /// Takes the signals over.
    ///
    /// Handlers, where ignoring would seem enough: a program that we run gets the default again, not our ignoring. The
    /// handler of SIGPIPE does nothing, so that `write` fails with EPIPE instead.
    package func install() {
        FileDescriptor.fillStandard()
        _ = signal(SIGPIPE) { _ in }
        guard unsafe pipe(&Self.ends) == 0 else { return }
        for end in unsafe Self.ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        for number in [SIGINT, SIGTERM] {
            // A parent that runs us in the background may have it ignored: leave that be.
            guard !Signals.isIgnored(number) else { continue }
            _ = signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(Signals.ends[1], &byte, 1)
                errno = saved
            }
        }
        Thread.detachNewThread { [self] in wait() }
    }

    /// Reads the numbers that the handler writes; after the first, waits no longer than the grace.
    private func wait() {
        let end = unsafe Self.ends[0]
        while true {
            var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            let came = state.withLock { $0.asked }
            let ready = unsafe poll(&entry, 1, came == nil ? -1 : Self.grace)
            if ready == 0, let came { leave(after: came) }
            var byte: UInt8 = 0
            if ready > 0, unsafe read(end, &byte, 1) == 1 { receive(Int32(byte)) }
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
        guard first else { leave(after: number) }
        stop?()
    }

    private func leave(after number: Int32) -> Never {
        PartialFile.removePending()
        _exit((number == SIGTERM ? ExitCode.terminated : ExitCode.interrupted).rawValue)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is the address 1.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}

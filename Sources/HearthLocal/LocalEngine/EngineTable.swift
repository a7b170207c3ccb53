package import HearthInference
import HearthLocks
package import HearthWeights

/// The engines that are loaded in this process, held weakly: one for each state of a file and each layout (design D19).
///
/// Callers that ask for an engine while it is being loaded wait for that one. A caller whose task is cancelled stops
/// waiting; the load goes on for the others.
package final class EngineTable: Sendable {
    package static let shared = EngineTable()

    package struct Key: Hashable, Sendable {
        let file: FileIdentity
        let options: ModelOptions

        package init(file: FileIdentity, options: ModelOptions) {
            self.file = file
            self.options = options
        }
    }

    private typealias Waiter = CheckedContinuation<LocalEngine, any Error>

    private struct Weak {
        weak var engine: LocalEngine?
    }

    private enum Entry {
        case loading([Int: Waiter])
        case loaded(Weak)
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var nextWaiter = 0
        /// Cancelled before they began to wait.
        var gone: Set<Int> = []
        var loads = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Loads that were begun.
    package var loads: Int { state.withLock { $0.loads } }

    package func engine(
        _ key: Key, load: @escaping @Sendable () async throws -> LocalEngine
    ) async throws -> LocalEngine {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        defer { state.withLock { _ = $0.gone.remove(number) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(number, $0, for: key, load: load) }
        } onCancel: {
            cancel(number, for: key)
        }
    }

    private enum Answer {
        case engine(LocalEngine)
        case cancelled, load, wait
    }

    private func wait(
        _ number: Int, _ waiter: Waiter, for key: Key, load: @escaping @Sendable () async throws -> LocalEngine
    ) {
        let answer = state.withLock { state -> Answer in
            if state.gone.remove(number) != nil { return .cancelled }
            switch state.entries[key] {
            case .loaded(let weak):
                if let engine = weak.engine { return .engine(engine) }
            case .loading(var waiters):
                waiters[number] = waiter
                state.entries[key] = .loading(waiters)
                return .wait
            case nil: break
            }
            state.entries[key] = .loading([number: waiter])
            state.loads += 1
            return .load
        }
        switch answer {
        case .engine(let engine): waiter.resume(returning: engine)
        case .cancelled: waiter.resume(throwing: CancellationError())
        case .wait: break
        case .load:
            Task {
                do { finish(key, .success(try await load())) } catch { finish(key, .failure(error)) }
            }
        }
    }

    private func finish(_ key: Key, _ result: Result<LocalEngine, any Error>) {
        let waiters = state.withLock { state -> [Int: Waiter] in
            guard case .loading(let waiters) = state.entries[key] else { return [:] }
            if case .success(let engine) = result {
                state.entries[key] = .loaded(Weak(engine: engine))
            } else {
                state.entries[key] = nil  // the next caller tries again
            }
            // Engines that nobody holds any more leave empty entries behind.
            state.entries = state.entries.filter { if case .loaded(let weak) = $1 { weak.engine != nil } else { true } }
            return waiters
        }
        for waiter in waiters.values { waiter.resume(with: result) }
    }

    private func cancel(_ number: Int, for key: Key) {
        let waiter = state.withLock { state -> Waiter? in
            guard case .loading(var waiters) = state.entries[key], let waiter = waiters.removeValue(forKey: number)
            else {
                state.gone.insert(number)
                return nil
            }
            state.entries[key] = .loading(waiters)
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}

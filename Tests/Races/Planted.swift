import Foundation

/// Two threads add to a number behind the house's lock, and, where it is asked for, to one behind none.
/// Compiled together with the sources of HearthLocks, under the thread sanitizer.
final class Open: @unchecked Sendable { var count = 0 }

@main
struct Planted {
    static func main() {
        let isPlanted = CommandLine.arguments.contains("planted")
        let locked = Locked(0)
        let open = Open()
        let done = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            Thread {
                if isPlanted { open.count += 1 }
                for _ in 0..<1000 { locked.withLock { $0 += 1 } }
                done.signal()
            }.start()
        }
        done.wait()
        done.wait()
        print(locked.withLock { $0 })
    }
}

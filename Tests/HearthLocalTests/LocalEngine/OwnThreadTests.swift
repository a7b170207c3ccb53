import Foundation
import HearthLocal
import Testing

@Suite("Threads of their own")
struct OwnThreadTests {
    private enum Cause: Error { case planted }

    // A petabyte of stack is more address space than a process has: the system refuses the thread.
    @Test("work is done and its errors come back, also where the system refuses the thread", .timeLimit(.minutes(1)), arguments: [
        8 << 20, 1 << 50,
    ])
    func workIsDone(stackSize: Int) async throws {
        #expect(try await OwnThread.run("test", stackSize: stackSize) { 7 } == 7)
        await #expect(throws: Cause.self) { try await OwnThread.run("test", stackSize: stackSize) { throw Cause.planted } }
    }

    @Test("the thread has the name that was asked for")
    func name() async throws {
        #expect(try await OwnThread.run("hearth name") { Thread.current.name } == "hearth name")
    }
}

import Foundation
import FoundationModels
import HearthLocks
import Testing

@Suite("ResponseStream")
struct StreamTests {
    @Test("E-22 E-23 Snapshots are cumulative, one a token, and the one-shot answer is the collected stream")
    func snapshots() async throws {
        let texts = (0..<500).map { "\($0) é\u{1F469}\u{200D}\u{1F4BB} " }
        let session = LanguageModelSession(model: ScriptedModel(texts: texts))
        let stream = session.streamResponse(to: "a")
        var last = ""
        var count = 0
        for try await snapshot in stream {
            #expect(snapshot.content.hasPrefix(last))
            last = snapshot.content
            count += 1
        }
        #expect(count == 500)
        #expect(last == texts.joined())
        #expect(try await stream.collect().content == last)
        let whole = try await LanguageModelSession(model: ScriptedModel(texts: texts)).respond(to: "a")
        #expect(whole.content == last)
    }

    @Test("Deltas that count no token come in one snapshot at the end")
    func uncounted() async throws {
        let model = ScriptedModel { _, channel in
            for text in ["a", "b", "c"] { await channel.send(.response(action: .appendText(text, tokenCount: 0))) }
        }
        var snapshots: [String] = []
        for try await snapshot in LanguageModelSession(model: model).streamResponse(to: "x") {
            snapshots.append(snapshot.content)
        }
        #expect(snapshots == ["abc"])
    }

    @Test("The last snapshot carries the final usage and metadata")
    func lastSnapshot() async throws {
        let model = ScriptedModel { _, channel in
            await channel.send(.response(action: .appendText("a", tokenCount: 1)))
            await channel.send(
                .response(
                    action: .updateUsage(
                        input: .init(totalTokenCount: 9, cachedTokenCount: 0),
                        output: .init(totalTokenCount: 1, reasoningTokenCount: 0))))
        }
        var usage: [Int] = []
        for try await snapshot in LanguageModelSession(model: model).streamResponse(to: "x") {
            usage.append(snapshot.usage.input.totalTokenCount)
        }
        #expect(usage == [0, 9])
    }

    @Test("The transcript grows while the answer comes in")
    func growing() async throws {
        let gate = Gate()
        let session = LanguageModelSession(
            model: ScriptedModel { _, channel in
                await channel.send(.response(action: .appendText("par", tokenCount: 1)))
                await gate.wait()
                await channel.send(.response(action: .appendText("tial", tokenCount: 1)))
            })
        let stream = session.streamResponse(to: "a")
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.content == "par")
        #expect(session.transcript.last?.description == "(Response) par")
        #expect(session.isResponding)
        gate.open()
        #expect(try await iterator.next()?.content == "partial")
        #expect(try await iterator.next() == nil)
        #expect(!session.isResponding)
    }

    @Test("A stream that is let go of stops, frees the session, and leaves what was generated")
    func abandoned() async throws {
        let stopped = Gate()
        let session = LanguageModelSession(
            model: ScriptedModel { round, channel in
                await channel.send(.response(action: .appendText("x", tokenCount: 1)))
                if round.number > 1 { return }
                do { try await Task.sleep(for: .seconds(60)) } catch { stopped.open() }
                try Task.checkCancellation()
            })
        for try await _ in session.streamResponse(to: "a") { break }
        await stopped.wait()
        #expect(await eventually { !session.isResponding })
        #expect(session.transcript.kinds == ["prompt", "response"])
        #expect(try await session.respond(to: "b").content == "x")
    }

    @Test("A reader that stops half-way can collect the rest")
    func collectAfterBreak() async throws {
        let session = LanguageModelSession(model: ScriptedModel(texts: (0..<200).map { "\($0) " }))
        let stream = session.streamResponse(to: "a")
        for try await _ in stream { break }
        #expect(try await stream.collect().content == (0..<200).map { "\($0) " }.joined())
    }

    @Test("Cancelling the reading task cancels the executor")
    func cancelled() async throws {
        let stopped = Gate()
        let session = LanguageModelSession(
            model: ScriptedModel { _, channel in
                await channel.send(.response(action: .appendText("x", tokenCount: 1)))
                do { try await Task.sleep(for: .seconds(60)) } catch { stopped.open() }
            })
        let task = Task { for try await _ in session.streamResponse(to: "a") {} }
        #expect(await eventually { session.transcript.count == 2 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await stopped.wait()
        #expect(session.transcript.isEmpty)
    }

    @Test("A reader that is cancelled between two snapshots gets no further one, and the session is free")
    func cancelledBetween() async throws {
        let session = LanguageModelSession(
            model: ScriptedModel { _, channel in
                for _ in 0..<10_000 {
                    await channel.send(.response(action: .appendText("x", tokenCount: 1)))
                    try Task.checkCancellation()
                }
            })
        let count = Locked(0)
        let task = Task {
            for try await _ in session.streamResponse(to: "a") {
                count.withLock { $0 += 1 }
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(count.withLock { $0 } == 1)
        #expect(!session.isResponding)
        #expect(session.transcript.isEmpty)
    }

    @Test("A reader that stops at the last snapshot has the whole answer in the transcript")
    func breakAtTheEnd() async throws {
        let session = LanguageModelSession(model: ScriptedModel(texts: ["a", "b"]))
        for try await snapshot in session.streamResponse(to: "x") where snapshot.content == "ab" { break }
        #expect(await eventually { !session.isResponding })
        #expect(session.transcript.last?.description == "(Response) ab")
    }

    @Test("X-04 A refusal's explanation is a response and a stream of one snapshot")
    func refusal() async throws {
        let refusal = LanguageModelError.Refusal(explanation: "No.", debugDescription: "d")
        #expect(try await refusal.explanation.content == "No.")
        var snapshots: [String] = []
        for try await snapshot in refusal.explanationStream { snapshots.append(snapshot.content) }
        #expect(snapshots == ["No."])
    }
}

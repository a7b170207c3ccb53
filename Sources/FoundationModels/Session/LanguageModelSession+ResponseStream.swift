extension LanguageModelSession {
    /// An answer as it grows: snapshots, each of which holds everything so far.
    ///
    ///     for try await snapshot in session.streamResponse(to: "Tell a story") {
    ///         show(snapshot.content)
    ///     }
    ///
    /// Generation begins when the stream is made. Cancelling the reading task cancels it. A stream that is let go of
    /// before its end stops it too; what was generated until then stays in the transcript.
    public struct ResponseStream<Content>: AsyncSequence where Content: Generable {
        public typealias Element = LanguageModelSession.ResponseStream<Content>.Snapshot

        private let handle: StreamHandle

        init(_ run: ResponseRun) {
            handle = StreamHandle(run)
        }

        public func makeAsyncIterator() -> LanguageModelSession.ResponseStream<Content>.AsyncIterator {
            AsyncIterator(handle)
        }

        /// The whole answer; also after the stream was read, in part or to its end.
        public nonisolated(nonsending) func collect() async throws -> sending LanguageModelSession.Response<Content> {
            let progress = try await handle.run.result()
            return try progress.response(ids: handle.ids.counting())
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private let handle: StreamHandle
            private let reader: StreamReader

            init(_ handle: StreamHandle) {
                self.handle = handle
                reader = StreamReader(handle.run)
            }

            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws -> LanguageModelSession.ResponseStream<Content>.Snapshot? {
                while let progress = try await handle.run.next(isolation: actor) {
                    if let snapshot = Snapshot(progress, ids: handle.ids.counting()) { return snapshot }
                }
                return nil
            }
        }

        /// Everything that was generated so far.
        public struct Snapshot {
            public var content: Content.PartiallyGenerated
            public var rawContent: GeneratedContent
            public var transcriptEntries: ArraySlice<Transcript.Entry>
            public var usage: LanguageModelSession.Usage

            /// Nil where what there is cannot be read yet: a number without digits, an object before its brace. The
            /// whole answer is checked when it ends, so an error cannot hide here.
            init?(_ progress: ResponseRun.Progress, ids: () -> GenerationID?) {
                do {
                    rawContent = try progress.rawContent(ids: ids)
                    content = try Content.PartiallyGenerated(rawContent)
                } catch {
                    return nil
                }
                transcriptEntries = progress.entries
                usage = progress.usage
            }
        }
    }
}

extension LanguageModelSession.ResponseStream where Content == String {
    /// A stream of one snapshot, for a text that is known already.
    package init(text: String) {
        let response = LanguageModelSession.Response(text: text)
        let progress = ResponseRun.Progress(
            text: text, isGuided: false, entries: response.transcriptEntries, usage: response.usage)
        let run = ResponseRun(wantsSnapshots: true)
        run.start {
            await run.report(progress)
            return progress
        }
        self.init(run)
    }
}

/// Keeps an answer going while its stream, or an iterator of it, is there.
final class StreamHandle: Sendable {
    let run: ResponseRun
    let ids = ContentIDs()

    init(_ run: ResponseRun) {
        self.run = run
    }

    deinit {
        run.abandon()
    }
}

/// Tells the run that somebody reads.
final class StreamReader: Sendable {
    private let run: ResponseRun

    init(_ run: ResponseRun) {
        self.run = run
        run.addReader()
    }

    deinit {
        run.removeReader()
    }
}

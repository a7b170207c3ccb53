import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One call of the service.
public struct LighthouseCall: Sendable {
    let id: UUID
    let body: LighthouseBody
    let url: URL
    let token: String
    let timeout: TimeInterval
}

/// The way to the service. Tests bring their own.
public protocol LighthouseClient: Sendable {
    func lines(for call: LighthouseCall) -> AsyncThrowingStream<String, any Error>
}

extension LighthouseClient {
    func events(for call: LighthouseCall) -> AsyncThrowingStream<LighthouseEvent, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let decoder = JSONDecoder()
                    for try await line in lines(for: call) where !line.isEmpty {
                        continuation.yield(try decoder.decode(LighthouseEvent.self, from: Data(line.utf8)))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Posts the call and reads the lines of the answer.
public struct HTTPClient: LighthouseClient {
    public init() {}

    public func lines(for call: LighthouseCall) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var request = URLRequest(url: call.url, timeoutInterval: call.timeout)
                    request.httpMethod = "POST"
                    request.setValue("Bearer \(call.token)", forHTTPHeaderField: "Authorization")
                    request.setValue(call.id.uuidString, forHTTPHeaderField: "X-Request-ID")
                    request.httpBody = try JSONEncoder().encode(call.body)
                    let (data, response) = try await URLSession.shared.data(for: request)
                    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                    let text = String(decoding: data, as: UTF8.self)
                    guard status == 200 else { throw LighthouseError.error(code: "\(status)", message: text) }
                    for line in text.split(separator: "\n") { continuation.yield(String(line)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

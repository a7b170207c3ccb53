import HearthLocks
public import Observation

/// A value that a session, its tools and its profile share. `@SessionPropertyEntry` makes the key:
///
///     extension SessionPropertyValues { @SessionPropertyEntry var counter: Int = 0 }
public protocol SessionPropertyKey: SendableMetatype {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

/// The properties of one session.
public final class SessionPropertyValues: Sendable, Observable {
    /// A value behind the lock. Values need not be `Sendable`; one that is changed from tools that run at the same time
    /// has to be safe to share, as any variable they share.
    private struct Stored: @unchecked Sendable {
        let value: Any
    }

    private struct State {
        var values: [ObjectIdentifier: Stored] = [:]
        weak var session: LanguageModelSession?
    }

    private let state = Locked(State())
    private let registrar = ObservationRegistrar()

    init() {}

    func attach(_ session: LanguageModelSession) {
        state.withLock { $0.session = session }
    }

    /// Stands for all values: a key of a generic subscript has no key path of its own to observe.
    var revision: Int { 0 }

    public subscript<K>(key: K.Type) -> K.Value where K: SessionPropertyKey {
        get {
            registrar.access(self, keyPath: \.revision)
            let stored = state.withLock { $0.values[ObjectIdentifier(key)] }
            return stored?.value as? K.Value ?? key.defaultValue
        }
        set {
            let stored = Stored(value: newValue)
            registrar.withMutation(of: self, keyPath: \.revision) {
                state.withLock { $0.values[ObjectIdentifier(key)] = stored }
            }
        }
    }

    /// The session's transcript without its instructions.
    ///
    /// While a request runs it can be read only: setting it then ends the request, as setting the session's transcript
    /// does.
    public var history: Transcript.HistoryView {
        get { state.withLock { $0.session }?.transcript.history ?? [] }
        set { state.withLock { $0.session }?.transcript.history = newValue }
    }
}

/// The session whose profile, instructions or tools are running.
enum SessionContext {
    @TaskLocal static var properties: SessionPropertyValues?
}

extension LanguageModelSession {
    /// Reads and writes a property of the session, from inside its tools, instructions and profile:
    ///
    ///     struct Next: Tool { @SessionProperty(\.counter) var counter; ... }
    ///
    /// Outside of a session it reads the default and forgets what is written.
    @propertyWrapper
    public struct SessionProperty<Value> {
        private let keyPath: ReferenceWritableKeyPath<SessionPropertyValues, Value>

        public init(_ keyPath: ReferenceWritableKeyPath<SessionPropertyValues, Value>) {
            self.keyPath = keyPath
        }

        public var wrappedValue: Value {
            get { (SessionContext.properties ?? SessionPropertyValues())[keyPath: keyPath] }
            nonmutating set { SessionContext.properties?[keyPath: keyPath] = newValue }
        }
    }
}

/// A key path to a property of a class that is `Sendable`, without captured values: nothing in it can change.
extension LanguageModelSession.SessionProperty: @unchecked Sendable where Value: Sendable {}

extension Tool {
    public typealias SessionProperty = LanguageModelSession.SessionProperty
}

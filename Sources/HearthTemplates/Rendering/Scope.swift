/// Names and their values; a name that is not here is looked for in the scope around it.
///
/// A loop's turn, a macro's call, `with`, `call`, `filter` and block `set` open one; `if` does not. A macro sees the
/// scope it was written in.
final class Scope {
    let parent: Scope?
    private var names: [NameID] = []
    private var values: [Value] = []

    init(_ parent: Scope?) { self.parent = parent }

    /// Few names stand in one scope: a search by number is faster than hashing.
    subscript(_ name: NameID) -> Value? {
        var scope: Scope? = self
        while let current = scope {
            if let place = current.names.firstIndex(of: name) { return current.values[place] }
            scope = current.parent
        }
        return nil
    }

    func set(_ name: NameID, _ value: Value) {
        if let place = names.firstIndex(of: name) {
            values[place] = value
        } else {
            names.append(name)
            values.append(value)
        }
    }

    /// Ends the life of what is here, and with it circles of macros and the scopes that hold them.
    func clear() {
        names = []
        values = []
    }
}

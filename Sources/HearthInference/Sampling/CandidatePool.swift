import HearthTokens

/// Candidates in the order of their ids.
struct CandidatePool {
    var values: [Float]
    var ids: [Token]
    var count = 0

    init(capacity: Int) {
        values = Array(repeating: 0, count: capacity)
        ids = Array(repeating: 0, count: capacity)
    }

    /// Leaves those that `isKept` holds of.
    @inline(__always)
    mutating func keep(where isKept: (Float) -> Bool) {
        let count = count
        var kept = 0
        unsafe values.withUnsafeMutableBufferPointer { values in
            unsafe ids.withUnsafeMutableBufferPointer { ids in
                for index in 0..<count {
                    let value = unsafe values[index]
                    // Without a branch: the place is written again where it is not kept.
                    unsafe values[kept] = value
                    unsafe ids[kept] = ids[index]
                    kept += isKept(value) ? 1 : 0
                }
            }
        }
        self.count = kept
    }
}

import HearthTokens
import Testing

@Suite("TokenSet")
struct TokenSetTests {
    @Test("bits past the last token stay clear", arguments: [0, 1, 63, 64, 65, 130])
    func all(count: Int) {
        var set = TokenSet(count: count, allowingAll: true)
        #expect(set.population == count)
        #expect(!set.contains(Token(count)))
        #expect(!set.contains(-1))
        set.allowNone()
        #expect(set.isEmpty)
    }

    @Test("what is inserted is there, in rising order, and what is removed is gone")
    func insertAndRemove() {
        var set = TokenSet(count: 200)
        for token: Token in [199, 0, 64, 63, 127] { set.insert(token) }
        set.remove(64)
        var seen: [Token] = []
        set.forEach { seen.append($0) }
        #expect(seen == [0, 63, 127, 199])
        #expect(set.contains(63) && !set.contains(64))
    }

    @Test("union and intersection act token by token")
    func combine() {
        var evens = TokenSet(count: 100)
        var threes = TokenSet(count: 100)
        for token: Token in 0..<100 {
            if token % 2 == 0 { evens.insert(token) }
            if token % 3 == 0 { threes.insert(token) }
        }
        var both = evens
        both.formIntersection(threes)
        var either = evens
        either.formUnion(threes)
        for token: Token in 0..<100 {
            #expect(both.contains(token) == (token % 6 == 0))
            #expect(either.contains(token) == (token % 2 == 0 || token % 3 == 0))
        }
    }
}

import Base
import TestSupport
import Testing

/// Tests of bytes with shares: the limit, the share of an owner, and tasks that wait.
@Suite(.timeLimit(.minutes(1))) struct ByteSharesTests {
    @Test func `an owner has its share, and all owners have the limit`() {
        let space = ByteShares(limit: 100, share: 0.25)
        #expect(space.take(25, by: "a"))
        #expect(!space.take(1, by: "a"))
        for owner in ["b", "c", "d"] { #expect(space.take(25, by: owner)) }
        #expect(!space.take(1, by: "e"))
        #expect(space.isFull && space.taken == 100)
        space.release(1, by: "a")
        #expect(space.take(1, by: "e"))
    }

    @Test func `bytes in use are taken beyond the limit`() {
        let space = ByteShares(limit: 100, share: 1)
        space.add(150, by: "a")
        #expect(space.isFull && !space.take(1, by: "b"))
        space.release(150, by: "a")
        #expect(space.taken == 0 && space.take(100, by: "b"))
    }

    @Test(arguments: ["release", "limit", "stop"])
    func `a task waits until bytes are released, the limit grows, or its event is signalled`(_ change: String)
        async throws
    {
        let space = ByteShares(limit: 100, share: 1)
        space.add(100, by: "a")
        let (stop, waits) = (AsyncEvent(), AsyncEvent())
        async let isTaken = space.takeWhenFree(10, by: "a", unless: stop) { waits.signal() }
        await waits.wait()
        switch change {
        case "release": space.release(10, by: "a")
        case "limit": space.change(limit: 110)
        default: stop.signal()
        }
        #expect(await isTaken == (change != "stop"))
        #expect(space.taken == (change == "limit" ? 110 : 100))
    }

    @Test func `the first bytes of an owner may exceed its share, but not begin at the limit`() {
        let space = ByteShares(limit: 100, share: 0.25)
        #expect(space.take(90, by: "a", orFirst: true))
        #expect(!space.take(1, by: "a", orFirst: true))
        #expect(space.take(60, by: "b", orFirst: true))
        #expect(!space.take(1, by: "c", orFirst: true))
    }

    @Test func `an owner without bytes does not wait for the others`() async {
        let space = ByteShares(limit: 100, share: 0.25)
        space.add(100, by: "a")
        #expect(await space.takeWhenFree(50, by: "b", unless: AsyncEvent()) { Issue.record("the owner waits") })
        #expect(space.taken == 150)
    }
}

import CBlocks
import Glibc
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The memory that libcurl is given. Large blocks are kept for all threads: what is kept of them is looked at in a process
/// of its own.
@Suite(.timeLimit(.minutes(1))) struct BlocksTests {
    init() { agd_blocks_let_go() }

    @Test(arguments: [1, 16, 17, 1_000, 2_048]) func `a small one that was given back comes again`(bytes: Int) throws {
        let first = try #require(agd_block(bytes))
        memset(first, 0xFF, bytes)
        agd_block_free(first)
        #expect(agd_small_blocks_kept() >= bytes)
        let second = try #require(agd_block(bytes))
        defer { agd_block_free(second) }
        #expect(first == second)
        #expect(agd_small_blocks_kept() == 0)
    }

    @Test func `a large one that was given back comes again, to any thread`() async {
        await #expect(processExitsWith: .success) {
            for bytes in [2_049, 32_769, 102_401] {
                let first = try #require(agd_block(bytes))
                memset(first, 0xFF, bytes)
                agd_block_free(first)
                #expect(agd_large_blocks_kept() >= bytes)
                let second = Guarded<UInt>(0)
                onThread { second.withLock { $0 = UInt(bitPattern: agd_block(bytes)) } }
                #expect(second.withLock { $0 } == UInt(bitPattern: first))
                #expect(agd_large_blocks_kept() == 0)
                agd_block_free(first)
                agd_blocks_let_go()
            }
        }
    }

    @Test func `it does not come for what it does not fit`() async {
        await #expect(processExitsWith: .success) {
            for (given, wanted) in [(16, 17), (2_048, 2_049), (40_000, 40_001), (102_401, 65_536)] {
                let small = try #require(agd_block(given))
                agd_block_free(small)
                let other = try #require(agd_block(wanted))
                #expect(other != small)
                agd_block_free(other)
            }
        }
    }

    @Test(arguments: [1, 100, 3_000, 50_000]) func `what is to be zero is`(bytes: Int) throws {
        let dirty = try #require(agd_block(bytes))
        memset(dirty, 0xFF, bytes)
        agd_block_free(dirty)
        let block = try #require(agd_block_zeroed(1, bytes))
        defer { agd_block_free(block) }
        #expect(UnsafeRawBufferPointer(start: block, count: bytes).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [
        (0, 40), (8, 9), (8, 100), (100, 8), (2_000, 3_000), (3_000, 2_000), (100_000, 10), (10, 100_000),
    ])
    func `a block of another size begins as the one before`(old: Int, new: Int) throws {
        let block = old == 0 ? nil : agd_block(old)
        let bytes = (0..<max(old, new)).map { UInt8(truncatingIfNeeded: $0) }
        if let block { memcpy(block, bytes, old) }
        let resized = try #require(agd_block_resized(block, new))
        defer { agd_block_free(resized) }
        let kept = UnsafeRawBufferPointer(start: resized, count: min(old, new))
        #expect(kept.elementsEqual(bytes.prefix(kept.count)))
        memset(resized, 0xFF, new)
    }

    @Test func `a text is copied with its end`() throws {
        let copy = try #require(agd_block_text("image/jpeg"))
        defer { agd_block_free(copy) }
        #expect(String(cString: copy) == "image/jpeg")
    }

    @Test func `what no machine has is not given`() {
        #expect(agd_block(Int.max) == nil)
        #expect(agd_block_zeroed(1 << 62, 4) == nil, "as many bytes as 0")
        let none = agd_block(0)
        #expect(none != nil)
        agd_block_free(none)
        agd_block_free(nil)
    }

    @Test(arguments: [16, 1_000]) func `a thread keeps no more small ones than it may`(bytes: Int) {
        let blocks = (0..<4_000_000 / bytes).map { _ in agd_block(bytes) }
        for block in blocks { agd_block_free(block) }
        #expect(agd_small_blocks_kept() > agd_small_blocks_kept_at_most / 2)
        #expect(agd_small_blocks_kept() <= agd_small_blocks_kept_at_most)
        agd_blocks_let_go()
        #expect(agd_small_blocks_kept() == 0)
    }

    @Test func `no more large ones are kept than may be`() async {
        await #expect(processExitsWith: .success) {
            for bytes in [3_000, 60_000, 131_072] {
                let blocks = (0..<8_000_000 / bytes).map { _ in agd_block(bytes) }
                for block in blocks { agd_block_free(block) }
                #expect(agd_large_blocks_kept() > agd_large_blocks_kept_at_most / 2)
                #expect(agd_large_blocks_kept() <= agd_large_blocks_kept_at_most)
                agd_blocks_let_go()
                #expect(agd_large_blocks_kept() == 0)
            }
            agd_block_free(agd_block(131_073))
            #expect(agd_large_blocks_kept() == 0, "nothing that large is asked for again and again")
        }
    }

    @Test func `larger ones that nobody asks for make room`() async {
        await #expect(processExitsWith: .success) {
            let larger = (0..<60).map { _ in agd_block(100_000) }
            for block in larger { agd_block_free(block) }
            #expect(agd_large_blocks_kept() > agd_large_blocks_kept_at_most - 200_000)
            let smaller = Set((0..<20).map { _ in agd_block(40_000) })
            for block in smaller { agd_block_free(block) }
            #expect(agd_large_blocks_kept() <= agd_large_blocks_kept_at_most)
            #expect(Set((0..<20).map { _ in agd_block(40_000) }) == smaller)
        }
    }

    @Test func `threads that give and take large ones at once have each their own`() async {
        await #expect(processExitsWith: .success) {
            let mistakes = Guarded(0)
            onThreads(4) { number in
                for round in 0..<500 {
                    let blocks = (0..<4).map { agd_block(3_000 + 20_000 * (($0 + round) % 4)) }
                    for case let block? in blocks { memset(block, number + 1, 3_000) }
                    for case let block? in blocks {
                        let isOurs = [0, 1_000, 2_999].allSatisfy {
                            block.load(fromByteOffset: $0, as: UInt8.self) == number + 1
                        }
                        if !isOurs { mistakes.withLock { $0 += 1 } }
                        agd_block_free(block)
                    }
                }
            }
            #expect(mistakes.withLock { $0 } == 0)
        }
    }

    /// In a process of its own, where nobody else's memory counts.
    @Test func `a thread's end gives back what it has kept`() async {
        await #expect(processExitsWith: .success) {
            let before = try ProcessStatus.number("RssAnon")
            for _ in 0..<200 {
                onThread {
                    let blocks = (0..<100).map { _ in agd_block(2_000) }
                    for case let block? in blocks { memset(block, 1, 2_000) }
                    for block in blocks { agd_block_free(block) }
                }
            }
            #expect(try ProcessStatus.number("RssAnon") - before < 10_000)
        }
    }

    @Test func `any thread may give back, and keeps it`() {
        let address = UInt(bitPattern: agd_block(100))
        let kept = Guarded(0)
        onThread {
            agd_block_free(UnsafeMutableRawPointer(bitPattern: address))
            kept.withLock { $0 = agd_small_blocks_kept() }
        }
        #expect(kept.withLock { $0 } > 100)
        #expect(agd_small_blocks_kept() == 0)
    }

    @Test func `to give back twice ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let block = agd_block(100)
            agd_block_free(block)
            agd_block_free(block)
        }
    }

    @Test func `to resize what was given back ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let block = agd_block(100)
            agd_block_free(block)
            _ = agd_block_resized(block, 90)
        }
    }

    @Test func `a quiet fetcher keeps none`() async {
        await #expect(processExitsWith: .success) {
            try await OriginFixture.with { fixture in
                let executor = fixture.fetcher.executor
                let kept = { await Task(executorPreference: executor) { agd_small_blocks_kept() }.value }
                try await wait(for: "libcurl's memory to be kept") {
                    _ = try await fixture.fetch("/progressive.jpg", into: CountedFiles()).get()
                    return await kept() > 0 && agd_large_blocks_kept() > 0
                }
                try await wait(for: "libcurl's memory to be let go of") {
                    await kept() == 0 && agd_large_blocks_kept() == 0
                }
            }
        }
    }
}

/// Runs it on a thread of its own, to the thread's end.
private func onThread(_ body: @escaping @Sendable () -> Void) { onThreads(1) { _ in body() } }

/// Runs it on so many threads at once, each with a number, to their ends.
private func onThreads(_ count: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
    let threads = (0..<count).map { number in
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run: { body(number) })).toOpaque()
        let error = pthread_create(
            &thread, nil,
            {
                Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().run()
                return nil
            }, context)
        precondition(error == 0)
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

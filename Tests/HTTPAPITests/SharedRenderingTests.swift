import Base
import Dispatch
import NIOCore
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of a text that calls at the same time share.
@Suite(.timeLimit(.minutes(1))) struct SharedRenderingTests {
    @Test func `calls during a rendering share the next one, which begins after them`() async throws {
        let count = Guarded(0)
        let (begun, goesOn) = (AsyncEvent(), DispatchSemaphore(value: 0))
        let rendering = SharedRendering {
            let number = count.withLock { count in
                count += 1
                return count
            }
            begun.signal()
            if number == 1 { goesOn.wait() }
            return "\(number)"
        }
        async let first = rendering.text()
        await begun.wait()
        let calls = (0..<10).map { _ in Task { await rendering.text() } }
        // The tasks have joined the next rendering when its number does not change any more.
        for _ in 0..<1_000 { await Task.yield() }
        goesOn.signal()
        #expect(await first == ByteBuffer(string: "1"))
        var texts: Set<ByteBuffer> = []
        for call in calls { texts.insert(await call.value) }
        #expect(texts.isSubset(of: [ByteBuffer(string: "2"), ByteBuffer(string: "3")]))
        let last = await rendering.text()
        #expect(last == ByteBuffer(string: "\(count.withLock { $0 })"))
    }
}

import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopWatchTests {
    @Test func `a handler is called when data can be read`() async throws {
        try await withEventLoop { loop in
            let pipe = try TestPipe()
            async let events = loop.wait(for: pipe.reader)
            try pipe.put("one")
            #expect(await events.contains(.readable))
            #expect(pipe.take() == "one")
        }
    }

    @Test func `a pipe with free space is writable, and a pipe without a reader reports an error`() async throws {
        try await withEventLoop { loop in
            let ends = try TestPipe.openEnds()
            let writer = OwnedDescriptor(adopting: ends.writer)
            #expect(await loop.wait(for: writer.raw, .writable) == .writable)
            close(ends.reader)
            #expect(await loop.wait(for: writer.raw, []) == .error)
        }
    }

    @Test func `a closed peer is reported as a hangup even if no hangup event was requested`() async throws {
        try await withEventLoop { loop in
            let ends = try TestPipe.openEnds()
            let reader = OwnedDescriptor(adopting: ends.reader)
            close(ends.writer)
            #expect(await loop.wait(for: reader.raw, []) == .hangup)
        }
    }

    @Test func `a handler is called repeatedly until all data is read`() async throws {
        try await withEventLoop { loop in
            let pipe = try TestPipe()
            try pipe.put("one")
            await withCheckedContinuation { continuation in
                let calls = Record<Int>()
                loop.execute {
                    loop.watch(pipe.reader, for: .readable) { _ in
                        calls.append(1)
                        guard calls.elements.count == 3 else { return }
                        loop.unwatch(pipe.reader)
                        continuation.resume()
                    }
                }
            }
            #expect(pipe.take() == "one")
        }
    }

    @Test func `an unwatched descriptor reports no events, and may be unwatched twice`() async throws {
        try await withEventLoop { loop in
            let quiet = try TestPipe()
            let other = try TestPipe()
            let calls = Record<Int>()
            await loop.run {
                loop.watch(quiet.reader, for: .readable) { _ in calls.append(1) }
                loop.unwatch(quiet.reader)
                loop.unwatch(quiet.reader)
            }
            try quiet.put("one")
            try other.put("two")
            // Both pipes are ready at the next wait of the loop.
            await loop.wait(for: other.reader)
            #expect(calls.elements.isEmpty)
        }
    }

    @Test func `a second watch of a descriptor replaces its events and handler`() async throws {
        try await withEventLoop { loop in
            let pipe = try TestPipe()
            let calls = Record<String>()
            await withCheckedContinuation { continuation in
                loop.execute {
                    loop.watch(pipe.writer.raw, for: .readable) { _ in calls.append("first") }
                    loop.watch(pipe.writer.raw, for: .writable) { _ in
                        calls.append("second")
                        loop.unwatch(pipe.writer.raw)
                        continuation.resume()
                    }
                }
            }
            #expect(calls.elements == ["second"])
        }
    }

    @Test func `a descriptor number that is used again can be watched again`() async throws {
        try await withEventLoop { loop in
            let old = try TestPipe()
            let new = try TestPipe()
            await loop.run { loop.watch(old.reader, for: .readable) { _ in } }
            // The kernel no longer watches the old pipe, and does not report this to the loop.
            try #require(dup2(new.reader, old.reader) == old.reader)
            async let events = loop.wait(for: old.reader)
            try new.put("one")
            #expect(await events.contains(.readable))
        }
    }

    @Test func `an event of a closed descriptor is not reported for the next use of its number`() async throws {
        try await withEventLoop { loop in
            let pair = (try TestPipe(), try TestPipe())
            let idle = try TestPipe()
            let calls = Record<String>()
            /// Gives the number of the other pipe to a pipe that has no data.
            @Sendable func takeNumber(of other: Int32) {
                calls.append("first")
                loop.unwatch(other)
                dup2(idle.reader, other)
                loop.watch(other, for: .readable) { _ in calls.append("misled") }
            }
            try pair.0.put("one")
            try pair.1.put("two")
            await loop.run {
                loop.watch(pair.0.reader, for: .readable) { _ in
                    loop.unwatch(pair.0.reader)
                    takeNumber(of: pair.1.reader)
                }
                loop.watch(pair.1.reader, for: .readable) { _ in
                    loop.unwatch(pair.1.reader)
                    takeNumber(of: pair.0.reader)
                }
            }
            // After two iterations, the loop has handled all events that its last wait returned.
            await loop.run {}
            await loop.run {}
            #expect(calls.elements == ["first"])
        }
    }

    @Test func `a handler may unwatch another descriptor that is ready`() async throws {
        try await withEventLoop { loop in
            let pair = (try TestPipe(), try TestPipe())
            let calls = Record<Int>()
            try pair.0.put("one")
            try pair.1.put("two")
            await loop.run {
                for reader in [pair.0.reader, pair.1.reader] {
                    loop.watch(reader, for: .readable) { _ in
                        calls.append(1)
                        loop.unwatch(pair.0.reader)
                        loop.unwatch(pair.1.reader)
                    }
                }
            }
            await loop.run {}
            await loop.run {}
            #expect(calls.elements == [1])
        }
    }
}

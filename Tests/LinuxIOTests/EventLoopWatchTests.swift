import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopWatchTests {
    @Test func `a handler is called when there is something to read`() async throws {
        try await withEventLoop { loop in
            let pipe = try TestPipe()
            async let events = loop.wait(for: pipe.reader)
            try pipe.put("one")
            #expect(await events.contains(.readable))
            #expect(pipe.take() == "one")
        }
    }

    @Test func `a pipe with room is writable, and without a reader an error that need not be asked for`() async throws {
        try await withEventLoop { loop in
            let ends = try TestPipe.openEnds()
            let writer = OwnedDescriptor(adopting: ends.writer)
            #expect(await loop.wait(for: writer.raw, .writable) == .writable)
            close(ends.reader)
            #expect(await loop.wait(for: writer.raw, []) == .error)
        }
    }

    @Test func `the end of the other side is a hangup that need not be asked for`() async throws {
        try await withEventLoop { loop in
            let ends = try TestPipe.openEnds()
            let reader = OwnedDescriptor(adopting: ends.reader)
            close(ends.writer)
            #expect(await loop.wait(for: reader.raw, []) == .hangup)
        }
    }

    @Test func `the handler is called again until all is read`() async throws {
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

    @Test func `nothing is told after unwatch, and unwatching twice is nothing`() async throws {
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
            // Both are ready when the loop waits the next time.
            await loop.wait(for: other.reader)
            #expect(calls.elements.isEmpty)
        }
    }

    @Test func `watching again replaces events and handler`() async throws {
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

    @Test func `a number that was closed and given again is watched anew`() async throws {
        try await withEventLoop { loop in
            let old = try TestPipe()
            let new = try TestPipe()
            await loop.run { loop.watch(old.reader, for: .readable) { _ in } }
            // The kernel forgets the old pipe; the loop does not know that it did.
            try #require(dup2(new.reader, old.reader) == old.reader)
            async let events = loop.wait(for: old.reader)
            try new.put("one")
            #expect(await events.contains(.readable))
        }
    }

    @Test func `an event of a closed descriptor is not told to the next owner of its number`() async throws {
        try await withEventLoop { loop in
            let pair = (try TestPipe(), try TestPipe())
            let idle = try TestPipe()
            let calls = Record<String>()
            /// Gives the other's number to a pipe in which there is nothing to read.
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
            // Two turns later all events of that wait are told.
            await loop.run {}
            await loop.run {}
            #expect(calls.elements == ["first"])
        }
    }

    @Test func `a handler may unwatch another that is ready as well`() async throws {
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

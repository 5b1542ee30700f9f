import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DirectoryWatcherTests {
    /// A watcher on a loop, with the events that it reported.
    private actor Watcher {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        nonisolated let reported: AsyncStream<DirectoryEvent>
        private let telling: AsyncStream<DirectoryEvent>.Continuation
        private var watch: DirectoryWatcher?

        init(on loop: EventLoop) {
            self.loop = loop
            (reported, telling) = AsyncStream.makeStream()
        }

        func watch(_ path: String, for interest: DirectoryWatcher.Interest) throws -> DirectoryWatcher.DirectoryID {
            let telling = telling
            let watch = try watch ?? DirectoryWatcher(on: loop) { _, event in telling.yield(event) }
            self.watch = watch
            return try watch.watch(path, for: interest)
        }

        func unwatch(_ directory: DirectoryWatcher.DirectoryID) { watch?.unwatch(directory) }
        func close() {
            watch?.close()
            watch = nil
        }

        /// Runs a closure on the loop, so that the loop reads all its events at once.
        func perform(_ body: @Sendable () throws -> Void) rethrows { try body() }
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    private func write(_ name: String) throws { try FileSystem.write([1], toFile: path(name)) }

    private func withWatcher(_ body: (Watcher) async throws -> Void) async throws {
        try await withEventLoop { loop in
            let watcher = Watcher(on: loop)
            try await body(watcher)
            await watcher.close()
        }
    }

    /// Returns the events up to the last expected event.
    private func events(of watcher: Watcher, until last: DirectoryEvent) async -> [DirectoryEvent] {
        var seen: [DirectoryEvent] = []
        for await event in watcher.reported {
            seen.append(event)
            if event == last { break }
        }
        return seen
    }

    @Test func `files that are written, moved in and linked are reported in order`() async throws {
        try await withWatcher { watcher in
            try write("outside")
            try FileSystem.makeDirectory(path("in"))
            _ = try await watcher.watch(path("in"), for: .files)
            try write("in/written")
            try FileSystem.move(path("outside"), to: path("in/moved"))
            try #require(link(path("in/moved"), path("in/linked")) == 0)
            try FileSystem.makeDirectory(path("in/folder"))
            let seen = await events(of: watcher, until: .directoryMade("folder"))
            #expect(
                seen == [
                    .fileMade("written"), .closedAfterWriting("written"), .movedIn("moved"), .fileMade("linked"),
                    .directoryMade("folder"),
                ])
        }
    }

    @Test func `a file that is still open for writing is not reported as closed`() async throws {
        try await withWatcher { watcher in
            _ = try await watcher.watch(directory.path, for: .files)
            let slow = open(path("slow"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            try FileSystem.write([1], to: slow)
            try write("quick")
            #expect(
                await events(of: watcher, until: .closedAfterWriting("quick")) == [
                    .fileMade("slow"), .fileMade("quick"), .closedAfterWriting("quick"),
                ])
            close(slow)
            #expect(
                await events(of: watcher, until: .closedAfterWriting("slow")) == [.closedAfterWriting("slow")])
        }
    }

    @Test(arguments: [true, false])
    func `a deleted or moved directory is reported once, and no event follows`(_ isDeleted: Bool) async throws {
        try await withWatcher { watcher in
            try FileSystem.makeDirectory(path("in"))
            _ = try await watcher.watch(directory.path, for: .directories)
            _ = try await watcher.watch(path("in"), for: .files)
            if isDeleted { rmdir(path("in")) } else { try FileSystem.move(path("in"), to: path("moved")) }
            if !isDeleted { try write("moved/file") }
            try FileSystem.makeDirectory(path("last"))
            var seen = await events(of: watcher, until: .directoryMade("last"))
            seen.removeAll { $0 == .directoryMade("moved") }
            #expect(seen == [.gone, .directoryMade("last")])
        }
    }

    @Test func `a directory that is deleted and created again gets a new watch`() async throws {
        try await withWatcher { watcher in
            try FileSystem.makeDirectory(path("in"))
            let first = try await watcher.watch(path("in"), for: .files)
            rmdir(path("in"))
            #expect(await events(of: watcher, until: .gone) == [.gone])
            try FileSystem.makeDirectory(path("in"))
            #expect(try await watcher.watch(path("in"), for: .files) != first)
            try write("in/file")
            #expect(await events(of: watcher, until: .closedAfterWriting("file")).count == 2)
        }
    }

    @Test func `an unwatched directory reports no events`() async throws {
        try await withWatcher { watcher in
            try FileSystem.makeDirectory(path("in"))
            let inner = try await watcher.watch(path("in"), for: .files)
            _ = try await watcher.watch(directory.path, for: .files)
            await watcher.unwatch(inner)
            try write("in/unheard")
            try write("heard")
            #expect(
                await events(of: watcher, until: .closedAfterWriting("heard")) == [
                    .fileMade("heard"), .closedAfterWriting("heard"),
                ])
        }
    }

    @Test func `an overflow is reported if there are more events than the kernel queues`() async throws {
        let limit = try #require(
            Int(
                String(
                    decoding: try FileSystem.contents(of: "/proc/sys/fs/inotify/max_queued_events"), as: UTF8.self
                ).split(separator: "\n").first ?? ""))
        try await withWatcher { watcher in
            _ = try await watcher.watch(directory.path, for: .files)
            let (first, second) = (path("a"), path("b"))
            try FileSystem.write([1], toFile: first)
            // The loop reads no events while the closure runs. The kernel merges equal events that follow each other,
            // so two names alternate.
            try await watcher.perform {
                for _ in 0...limit / 2 {
                    try FileSystem.rename(first, to: second)
                    try FileSystem.rename(second, to: first)
                }
            }
            #expect(await events(of: watcher, until: .overflow).last == .overflow)
        }
    }

    @Test(arguments: [("missing", ENOENT), ("file", ENOTDIR), ("link", ENOTDIR)])
    func `a path that is no directory is not watched`(_ name: String, _ errno: Int32) async throws {
        try write("file")
        symlink(directory.path, path("link"))
        try await withWatcher { watcher in
            let error = await #expect(throws: SystemError.self) {
                _ = try await watcher.watch(path(name), for: .files)
            }
            #expect(error?.errno == errno)
            #expect(error?.call.contains(path(name)) == true)
        }
    }
}

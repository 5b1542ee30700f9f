import Glibc
import LinuxIO
import Testing

/// Runs a test with a separate loop, and then ends the loop.
func withEventLoop<Value>(_ body: (EventLoop) async throws -> Value) async throws -> Value {
    let loop = try EventLoop.start(name: "agd-test")
    defer { loop.shutdown() }
    return try await body(loop)
}

extension EventLoop {
    /// Runs a closure on the loop and waits for its value.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in execute { continuation.resume(returning: body()) } }
    }

    /// Waits until the descriptor is ready, without blocking a thread.
    @discardableResult
    func wait(for descriptor: Int32, _ events: DescriptorEvents = .readable) async -> DescriptorEvents {
        await withCheckedContinuation { continuation in
            execute {
                self.watch(descriptor, for: events) { seen in
                    self.unwatch(descriptor)
                    continuation.resume(returning: seen)
                }
            }
        }
    }
}

/// A pipe whose two ends are close-on-exec.
final class TestPipe: Sendable {
    let reader: Int32
    let writer: OwnedDescriptor

    init() throws {
        let ends = try Self.openEnds()
        reader = ends.reader
        writer = OwnedDescriptor(adopting: ends.writer)
    }

    /// Opens the two ends of a pipe, which the caller must close.
    static func openEnds() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    deinit { close(reader) }

    func put(_ text: String) throws { try FileSystem.write(Array(text.utf8)[...], to: writer.raw) }

    /// Returns all text of the pipe. Closes the writing end, and reads until all of its copies are closed.
    func takeToEnd() throws -> String {
        try #require(dup2(reader, writer.raw) == writer.raw)
        var text = ""
        while case let part = take(), !part.isEmpty { text += part }
        return text
    }

    func take() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(reader, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

enum Threads {
    /// Returns the kernel's identifiers of the threads of this process that have a name.
    static func named(_ name: String) throws -> [String] {
        try FileSystem.names(in: "/proc/self/task").filter {
            (try? FileSystem.contents(of: "/proc/self/task/\($0)/comm")) == Array("\(name)\n".utf8)
        }
    }
}

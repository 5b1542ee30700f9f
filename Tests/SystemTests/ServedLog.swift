import Base
import Glibc
import LinuxIO
import NotificationModel

/// The lines that a daemon writes to standard error.
final class ServedLog: Sendable {
    let lines = ServedArrivals<String>()
    private let reader: Int32
    private let partial = Guarded<[UInt8]>([])

    private init(reader: Int32) { self.reader = reader }

    /// Opens a pipe, and reads from it until the last of its writing ends is closed.
    ///
    /// - Returns: The log, and the writing end for the daemon. The caller closes its own copy of the writing end.
    static func open(on loop: EventLoop) throws -> (log: ServedLog, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let log = ServedLog(reader: ends[0])
        loop.execute { loop.watch(log.reader, for: .readable) { _ in log.read(on: loop) } }
        return (log, ends[1])
    }

    private func read(on loop: EventLoop) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(reader, &buffer, buffer.count)
        guard count > 0 else {
            loop.unwatch(reader)
            close(reader)
            return lines.finish()
        }
        let whole = partial.withLock { partial in
            partial += buffer.prefix(count)
            let parts = partial.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            partial = Array(parts.last ?? [])
            return parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
        }
        for line in whole { lines.append(line) }
    }

    // MARK: Records

    /// Returns the records whose message begins with a text.
    func records(_ message: String) -> [JSONValue] { Self.records(message, in: lines.elements) }

    /// Waits until this number of records have a message that begins with a text.
    @discardableResult
    func wait(for message: String, count: Int = 1) async throws -> JSONValue {
        try await lines.wait { lines in
            let records = Self.records(message, in: lines)
            return records.count >= count ? records.last : nil
        }
    }

    private static func records(_ message: String, in lines: [String]) -> [JSONValue] {
        lines.filter { $0.contains(message) }.compactMap { try? JSONParser.value(of: $0) }
            .filter { $0["message"]?.string?.hasPrefix(message) == true }
    }
}

import Base
package import LinuxIO

/// The place to which an output writes its lines. Only the thread of the output calls it, and a call may block.
package protocol LogSink: Sendable {
    /// Writes a line with its end, or a whole message.
    func write(_ bytes: [UInt8]) throws
}

/// A descriptor that some other part of the program keeps open, such as standard error.
struct DescriptorSink: LogSink {
    let descriptor: Int32

    func write(_ bytes: [UInt8]) throws { try FileSystem.write(bytes[...], to: descriptor) }
}

extension RotatingFile: LogSink {}

/// The socket of systemd's journal. If the journal was started again, the socket is connected again once.
final class JournalSink: LogSink {
    /// The socket of the journal's native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL).
    static let path = "/run/systemd/journal/socket"

    private final class Connection: Sendable {
        let socket: DatagramSocket

        init(to path: String) throws(SystemError) { socket = try DatagramSocket(to: path) }
    }

    private let path: String
    private let connection: Guarded<Connection?>

    /// - Throws: The error of the system if no journal listens.
    init(path: String = JournalSink.path) throws(SystemError) {
        self.path = path
        connection = Guarded(try Connection(to: path))
    }

    func write(_ bytes: [UInt8]) throws {
        let open = connection.withLock(\.self)
        if let open, (try? open.socket.send(bytes, waits: true)) != nil { return }
        connection.withLock { $0 = nil }
        let again = try Connection(to: path)
        try again.socket.send(bytes, waits: true)
        connection.withLock { $0 = again }
    }
}

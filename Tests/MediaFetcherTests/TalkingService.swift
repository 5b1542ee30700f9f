import Base
import Foundation
import Glibc
import LinuxIO
import NotificationModel

/// A service that sends the same bytes to every client after its first bytes, and closes the connection.
final class TalkingService: Sendable {
    private let listener: LoopbackListener
    private let words: [UInt8]
    private let count = Guarded(0)

    /// Starts to listen on a new thread, until `stop`.
    init(at host: LoopbackAddress, saying words: String) throws {
        self.words = Array(words.utf8)
        listener = try LoopbackListener(at: host, port: 0, waits: true)
        Thread { [self] in serve() }.start()
    }

    var port: UInt16 { listener.port }
    var connections: Int { count.withLock { $0 } }

    /// Ends the thread, which has the last reference to the listener.
    func stop() { shutdown(listener.descriptor.raw, Int32(SHUT_RDWR)) }

    private func serve() {
        while case let connection = accept(listener.descriptor.raw, nil, nil), connection >= 0 {
            count.withLock { $0 += 1 }
            var question = [UInt8](repeating: 0, count: 4_096)
            _ = recv(connection, &question, question.count, 0)
            _ = send(connection, words, words.count, Int32(MSG_NOSIGNAL))
            close(connection)
        }
    }
}

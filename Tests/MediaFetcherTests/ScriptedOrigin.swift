import Base
import Foundation
import Glibc
import LinuxIO
import NotificationModel

/// An origin with scripted answers. The origin sends one answer per connection, repeats the last answer, and closes
/// each connection.
final class ScriptedOrigin: Sendable {
    private let listener: LoopbackListener
    private let answers: [[UInt8]]
    private let heads = Guarded<[String]>([])
    private let hangsUp: Bool

    /// Starts to listen on a new thread, until `stop`.
    ///
    /// - Parameter hangsUp: whether the origin closes the connection after its answer. If not, the origin waits until
    ///   the client closes the connection.
    init(_ answers: [[UInt8]], hangsUp: Bool = true) throws {
        self.answers = answers
        self.hangsUp = hangsUp
        listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: true)
        Thread { [self] in serve() }.start()
    }

    var port: UInt16 { listener.port }
    var url: String { "http://127.0.0.1:\(port)/file.jpg" }
    /// The received requests as text.
    var requests: [String] { heads.withLock { $0 } }

    /// Ends the thread, which has the last reference to the listener.
    func stop() { shutdown(listener.descriptor.raw, Int32(SHUT_RDWR)) }

    /// Returns a response with a status line, header lines and a body.
    static func answer(_ status: String, _ fields: [String], _ body: some Sequence<UInt8> = []) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status)"] + fields + ["Connection: close", "", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + Array(body)
    }

    private func serve() {
        while case let connection = accept(listener.descriptor.raw, nil, nil), connection >= 0 {
            var question = [UInt8](repeating: 0, count: 16_384)
            let count = max(0, recv(connection, &question, question.count, 0))
            let number = heads.withLock { heads in
                heads.append(String(decoding: question[..<count], as: UTF8.self))
                return heads.count
            }
            let answer = answers[min(number, answers.count) - 1]
            var sent = 0
            while sent < answer.count {
                let written = answer.withUnsafeBytes { bytes in
                    send(connection, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                if written <= 0 { break }
                sent += written
            }
            // The client thus sees the end of the stream after the last byte, and not a reset that discards bytes.
            if hangsUp { shutdown(connection, Int32(SHUT_WR)) }
            _ = recv(connection, &question, question.count, 0)
            close(connection)
        }
    }
}

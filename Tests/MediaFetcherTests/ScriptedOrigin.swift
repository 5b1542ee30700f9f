import Foundation
import Glibc
import LinuxIO
import NotificationModel

/// An origin that says what it is told to: one answer for each connection, the last one again and again, and hangs up.
final class ScriptedOrigin: Sendable {
    private let listener: LoopbackListener
    private let answers: [[UInt8]]
    private let heads = Guarded<[String]>([])
    private let hangsUp: Bool

    /// Listens until `stop`, on a thread of its own.
    ///
    /// - Parameter hangsUp: whether the origin ends the connection behind its answer; else it waits for the client to do so.
    init(_ answers: [[UInt8]], hangsUp: Bool = true) throws {
        self.answers = answers
        self.hangsUp = hangsUp
        listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: true)
        Thread { [self] in serve() }.start()
    }

    var port: UInt16 { listener.port }
    var url: String { "http://127.0.0.1:\(port)/file.jpg" }
    /// What was asked, as it came.
    var requests: [String] { heads.withLock { $0 } }

    /// Ends the thread, which has the last hold on the listener.
    func stop() { shutdown(listener.descriptor.raw, Int32(SHUT_RDWR)) }

    /// A head with its fields, and a body behind it.
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
            // Whoever connects sees the end behind the last byte, not a reset that takes it away.
            if hangsUp { shutdown(connection, Int32(SHUT_WR)) }
            _ = recv(connection, &question, question.count, 0)
            close(connection)
        }
    }
}

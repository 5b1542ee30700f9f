import Base
import Glibc
import LinuxIO
import NotificationModel

/// A name server on loopback that answers the questions for addresses as its script says.
///
/// The address of a name may change from one question to the next, as that of an attacker does.
final class LocalNameServer: Sendable {
    enum Answer: Sendable {
        case silence
        case noSuchName
        /// The IPv4 address of the name, with a TTL of 0. There is no IPv6 address.
        case address(UInt8, UInt8, UInt8, UInt8)
    }

    private static let typeA: [UInt8] = [0, 1]

    let address: String
    private let script: @Sendable (String) -> Answer
    private let socket: Int32
    private let loop: EventLoop
    private let asked = Guarded<[String]>([])

    var names: [String] { asked.withLock { $0 } }

    /// - Parameter script: A function that returns the answer to a question about a name.
    init(_ script: @escaping @Sendable (String) -> Answer) throws {
        self.script = script
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw SystemError.last("socket") }
        self.socket = socket
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw SystemError.last("bind") }
        address = "127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
        loop = try EventLoop.start(name: "agd-names")
        loop.execute { [self] in
            loop.watch(socket, for: .readable) { [unowned self] _ in receive() }
        }
    }

    func shutdown() {
        loop.shutdown()
        close(socket)
    }

    private func receive() {
        var message = [UInt8](repeating: 0, count: 512)
        var sender = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                let count = recvfrom(socket, &message, message.count, 0, sender, &length)
                guard count > 12 else { return }
                guard let answer = answer(to: Array(message.prefix(count))) else { return }
                sendto(socket, answer, answer.count, 0, sender, length)
            }
        }
    }

    /// Returns the answer to a message (RFC 1035 §4.1); `nil` if the script has none.
    private func answer(to message: [UInt8]) -> [UInt8]? {
        let name = Self.name(in: message)
        asked.withLock { $0.append(name) }
        // The question is the name, its type and its class. `name.utf8.count + 2` bytes have the labels of the name.
        let question = Array(message.dropFirst(12).prefix(name.utf8.count + 2 + 4))
        switch script(name) {
        case .silence: return nil
        case .noSuchName: return Self.header(message, code: 3, records: 0) + question
        case .address(let a, let b, let c, let d):
            guard Array(question.dropLast(2).suffix(2)) == Self.typeA else {
                return Self.header(message, code: 0, records: 0) + question
            }
            // The record has a pointer to the name of the question, its type, class, TTL and length, and the address.
            let record: [UInt8] = [0xC0, 12] + Self.typeA + [0, 1, 0, 0, 0, 0, 0, 4, a, b, c, d]
            return Self.header(message, code: 0, records: 1) + question + record
        }
    }

    private static func header(_ message: [UInt8], code: UInt8, records: UInt8) -> [UInt8] {
        Array(message.prefix(2)) + [0x81, 0x80 | code, 0, 1, 0, records, 0, 0, 0, 0]
    }

    private static func name(in message: [UInt8]) -> String {
        var labels: [String] = []
        var rest = message.dropFirst(12)
        while let count = rest.popFirst(), count > 0 {
            labels.append(String(decoding: rest.prefix(Int(count)), as: UTF8.self))
            rest = rest.dropFirst(Int(count))
        }
        return labels.joined(separator: ".")
    }
}

import Foundation
import Glibc
import JSON
import LinuxIO
import NotificationModel
import Primitives
import TestSupport
import Testing

/// Tests that `doctor` resolves names with the resolver and the name servers of the daemon.
@Suite struct DoctorNamesTests {
    private static func finding(_ name: String, asking server: DoctorsServer) async throws -> JSONValue {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "fetch: {nameServers: ['\(server.address)'], nameServerTimeout: 50ms}", as: "c.yaml")
        let run = try await ProgramRun.appgroupd(
            "doctor", "--root", directory.path, "--config", file, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array)
        return try #require(checks.first { $0["area"] == "network" && $0["name"]?.string == name })
    }

    @Test func `doctor queries the configured name servers for a name that does not exist`() async throws {
        let server = try DoctorsServer(answers: true)
        defer { server.shutdown() }
        let finding = try await Self.finding("name servers", asking: server)
        #expect(finding["status"] == "ok")
        #expect(finding["found"]?.string == "\(server.address): answered")
        #expect(!server.names.isEmpty)
        #expect(server.names.allSatisfy { $0 == "appgroupd.invalid" })
    }

    @Test func `doctor warns about name servers that do not respond, and names a correction`() async throws {
        let server = try DoctorsServer(answers: false)
        defer { server.shutdown() }
        let finding = try await Self.finding("name servers", asking: server)
        #expect(finding["status"] == "warning")
        #expect(finding["found"]?.string == "\(server.address): the name servers do not answer")
        #expect(finding["mend"]?.string?.contains("fetch.nameServers") == true)
    }

    @Test func `localhost resolves to this machine without a query`() async throws {
        let server = try DoctorsServer(answers: false)
        defer { server.shutdown() }
        let finding = try await Self.finding("localhost", asking: server)
        #expect(finding["status"] == "ok")
        #expect(finding["found"]?.string?.contains("127.0.0.1") == true)
        #expect(!server.names.contains("localhost"))
    }
}

/// A name server on loopback. It answers NXDOMAIN for every name, or does not answer at all.
private final class DoctorsServer: Sendable {
    let address: String
    private let socket: Int32
    private let loop: EventLoop
    private let asked = Guarded<[String]>([])

    var names: [String] { asked.withLock { $0 } }

    init(answers: Bool) throws {
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
            loop.watch(socket, for: .readable) { [unowned self] _ in receive(answers: answers) }
        }
    }

    func shutdown() {
        loop.shutdown()
        close(socket)
    }

    private func receive(answers: Bool) {
        var message = [UInt8](repeating: 0, count: 512)
        var sender = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                let count = recvfrom(socket, &message, message.count, 0, sender, &length)
                guard count > 12 else { return }
                asked.withLock { $0.append(Self.name(in: message)) }
                guard answers else { return }
                // The message becomes an answer (RFC 1035 §4.1.1) with the flag for available recursion and the code
                // NXDOMAIN.
                message[2] |= 0x80
                message[3] = 0x83
                sendto(socket, message, count, 0, sender, length)
            }
        }
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

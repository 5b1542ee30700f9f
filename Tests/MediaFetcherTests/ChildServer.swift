import Base
import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport

/// An nginx server on the loopback interface, with TLS and its own certificate. The server supports HTTP/2 like common
/// web servers.
///
/// The server is one process, which is killed and reaped when the last reference is released, or with the test process.
final class ChildServer: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private static let nginx = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"
    private static let address = LoopbackAddress(0, 0, 1)

    let port: UInt16
    let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Starts a server on a free port.
    ///
    /// - Parameter isMultiplexed: whether the server speaks HTTP/2.
    /// - Parameter settings: further settings of the server, in nginx's syntax.
    /// - Parameter isSelfSigned: whether the certificate is self-signed, instead of signed by an unknown authority.
    init(isMultiplexed: Bool, settings: String = "", isSelfSigned: Bool = true) throws {
        for program in [Self.nginx, Self.openssl] where !FileSystem.isExecutable(program) {
            throw Missing(
                description: "\(program) is missing; these tests need Debian's nginx-light and openssl (scripts/setup)")
        }
        directory = try TemporaryDirectory()
        try Self.makeCertificate(in: directory.path, isSelfSigned: isSelfSigned)
        // Another process may take the free port before nginx listens on it.
        for _ in 0..<5 {
            let port = try LoopbackListener(at: Self.address, port: 0, waits: false).port
            try Data(Self.configuration(port, isMultiplexed: isMultiplexed, settings).utf8)
                .write(to: URL(filePath: directory.path + "/nginx.conf"))
            let command = ParentBoundCommand(
                Self.nginx, ["-p", directory.path, "-e", "stderr", "-c", "nginx.conf"],
                output: "\(directory.path)/errors")
            guard let process = try Self.start(command, on: port) else { continue }
            self.port = port
            self.process = process
            return
        }
        let errors = (try? FileSystem.contents(of: "\(directory.path)/errors")) ?? []
        throw Missing(description: "nginx does not listen: \(String(decoding: errors, as: UTF8.self))")
    }

    /// Starts a server, and waits until it listens.
    ///
    /// - Returns: the process; `nil` if the server has ended, or does not listen on the port in time.
    static func start(_ command: ParentBoundCommand, on port: UInt16) throws -> ChildProcess? {
        let nothing = try OwnedDescriptor.adopt(open("/dev/null", O_RDWR | O_CLOEXEC), from: "open /dev/null")
        let process = try ChildProcess.spawn(command.path, arguments: command.arguments, inheriting: nothing.raw)
        guard listens(process, on: port) else { return nil }
        return process
    }

    /// Returns whether the server accepts connections before it ends.
    private static func listens(_ process: borrowing ChildProcess, on port: UInt16) -> Bool {
        let end = MonotonicInstant.now + .seconds(10)
        while MonotonicInstant.now < end {
            let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(connection) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = Self.address.number.bigEndian
            address.sin_port = port.bigEndian
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected { return true }
            // The descriptor is readable after the process has ended. Otherwise the loop continues after 2 ms.
            var exit = pollfd(fd: process.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
            if poll(&exit, 1, 2) > 0 { return false }
        }
        return false
    }

    private static func configuration(_ port: UInt16, isMultiplexed: Bool, _ settings: String) -> String {
        """
        daemon off; master_process off; pid nginx.pid; error_log stderr crit;
        events { worker_connections 512; }
        http {
            log_format sessions '$ssl_session_reused';
            access_log sessions.log sessions;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            types { image/jpeg jpg; video/mp4 mp4; }
            server {
                listen \(address.text):\(port) ssl\(isMultiplexed ? " http2" : "");
                ssl_certificate certificate.pem; ssl_certificate_key key.pem;
                ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:sessions:1m;
                root \(Fixtures.media);
                location = /down { return 302 http://\(address.text):\(port)/photo-small.jpg; }
                \(settings)
            }
        }
        """
    }

    var pid: Int32 { process.pid }

    /// The PEM file that trusts the server for `127.0.0.1`, `h2.test` and all names below `hosts.test`.
    var caFile: String { directory.path + "/certificate.pem" }

    /// Whether each request so far reused a TLS session. nginx writes a line after each response.
    var sessions: [Bool] {
        let text = (try? FileSystem.contents(of: directory.path + "/sessions.log")).map {
            String(decoding: $0, as: UTF8.self)
        }
        return (text ?? "").split(separator: "\n").map { $0 == "r" }
    }

    /// Creates `certificate.pem` and `key.pem` in a directory.
    static func makeCertificate(in directory: String, isSelfSigned: Bool = true) throws {
        let names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:h2.test,DNS:*.hosts.test"]
        guard !isSelfSigned else { return try makeCertificate(in: directory, "certificate.pem", "key.pem", names) }
        try makeCertificate(in: directory, "root.pem", "root-key.pem", ["-subj", "/CN=root.test"])
        let root = ["-CA", "\(directory)/root.pem", "-CAkey", "\(directory)/root-key.pem"]
        try makeCertificate(in: directory, "certificate.pem", "key.pem", names + root)
    }

    private static func makeCertificate(
        in directory: String, _ certificate: String, _ key: String, _ words: [String]
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: openssl)
        process.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
            + ["-keyout", "\(directory)/\(key)", "-out", "\(directory)/\(certificate)"] + words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Missing(description: "openssl made no certificate") }
    }
}

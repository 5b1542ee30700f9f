import Foundation
import Glibc
import LinuxIO
import MediaFetcher
import NotificationModel
import TestSupport

/// A Squid or tinyproxy process on the loopback interface, as packaged by Debian. Companies run these proxies.
///
/// The proxy is one process, which is killed and reaped when the last reference is released, or with the test process.
final class ProxyServer: Sendable {
    enum Program: String, Sendable, CaseIterable {
        case squid = "/usr/sbin/squid"
        case tinyproxy = "/usr/bin/tinyproxy"
    }

    /// The access rules of a proxy.
    struct Rules: Sendable {
        /// The user and the password that the proxy demands; `nil` if the proxy demands no password.
        var credentials: (user: String, password: String)?
        /// The only name that the proxy permits; `nil` if it permits all names and addresses.
        var onlyHost: String?
        /// Whether the connections to the proxy use TLS, with the certificate of `ChildServer`. Only Squid supports
        /// this.
        var isSecure = false
    }

    let program: Program
    let port: UInt16
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    init(_ program: Program, _ rules: Rules = Rules()) throws {
        guard FileSystem.isExecutable(program.rawValue) else {
            throw ChildServer.Missing(
                description:
                    "\(program.rawValue) is missing; these tests need Debian's squid and tinyproxy-bin (scripts/setup)")
        }
        self.program = program
        directory = try TemporaryDirectory()
        // If root starts Squid, it changes to another user before it opens its logs.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
        if rules.isSecure { try ChildServer.makeCertificate(in: directory.path) }
        if let (user, password) = rules.credentials {
            try Data("\(user):\(try Self.digest(of: password))\n".utf8).write(
                to: URL(filePath: "\(directory.path)/users"))
        }
        // Another process may take the free port before the proxy listens on it.
        for _ in 0..<5 {
            let port = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false).port
            let file = "\(directory.path)/proxy.conf"
            let text =
                switch program {
                case .squid: Self.squid(port, rules, directory.path)
                case .tinyproxy: try Self.tinyproxy(port, rules, directory.path)
                }
            try Data(text.utf8).write(to: URL(filePath: file))
            let command = ParentBoundCommand(
                program.rawValue, program == .squid ? ["-N", "-f", file] : ["-d", "-c", file],
                output: "\(directory.path)/output")
            guard let process = try ChildServer.start(command, on: port) else { continue }
            self.port = port
            self.process = process
            return
        }
        let output = (try? FileSystem.contents(of: "\(directory.path)/output")) ?? []
        throw ChildServer.Missing(
            description: "\(program) does not listen: \(String(decoding: output, as: UTF8.self))")
    }

    /// The PEM file that trusts a proxy with TLS under the name `h2.test`.
    var caFile: String { directory.path + "/certificate.pem" }

    /// The targets of the tunnels in the log, such as `127.0.0.1:443`, including refused ones.
    var targets: [String] {
        let text = (try? FileSystem.contents(of: "\(directory.path)/access.log")).map {
            String(decoding: $0, as: UTF8.self)
        }
        return (text ?? "").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.lastIndex(of: "CONNECT").flatMap { $0 + 1 < words.count ? String(words[$0 + 1]) : nil }
        }.filter { $0.contains(":") }
    }

    private static func squid(_ port: UInt16, _ rules: Rules, _ directory: String) -> String {
        let tls = "tls-cert=\(directory)/certificate.pem tls-key=\(directory)/key.pem"
        var lines = [
            rules.isSecure ? "https_port 127.0.0.1:\(port) \(tls)" : "http_port 127.0.0.1:\(port)",
            "pid_filename none", "cache_log \(directory)/cache.log", "access_log stdio:\(directory)/access.log",
            "buffered_logs off", "cache deny all", "cache_mem 8 MB", "max_filedescriptors 1024", "coredump_dir none",
            "netdb_filename none", "pinger_enable off", "shutdown_lifetime 0 seconds",
        ]
        if rules.credentials != nil {
            lines += [
                "auth_param basic program /usr/lib/squid/basic_ncsa_auth \(directory)/users",
                "auth_param basic children 1", "acl known proxy_auth REQUIRED", "http_access deny !known",
            ]
        }
        if let host = rules.onlyHost {
            lines += ["acl permitted dstdomain -n \(host)", "http_access deny !permitted"]
        }
        return (lines + ["http_access allow all", ""]).joined(separator: "\n")
    }

    private static func tinyproxy(_ port: UInt16, _ rules: Rules, _ directory: String) throws -> String {
        var lines = [
            "Port \(port)", "Listen 127.0.0.1", "Timeout 60", "MaxClients 50", "LogLevel Connect",
            "LogFile \"\(directory)/access.log\"",
        ]
        if let (user, password) = rules.credentials { lines.append("BasicAuth \(user) \(password)") }
        if let host = rules.onlyHost {
            try Data("^\(host.replacing(".", with: "\\."))$\n".utf8).write(to: URL(filePath: "\(directory)/filter"))
            lines += ["Filter \"\(directory)/filter\"", "FilterDefaultDeny Yes", "FilterExtended On"]
        }
        return (lines + [""]).joined(separator: "\n")
    }

    /// Returns the password in the form that `basic_ncsa_auth` reads.
    private static func digest(of password: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = ["passwd", "-apr1", password]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

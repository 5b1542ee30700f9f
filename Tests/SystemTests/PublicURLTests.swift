import Foundation
import Glibc
import JSON
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of a web server that serves renditions under `publicURL`, with the configuration from
/// docs/operate/operations.md.
@Suite(.timeLimit(.minutes(2))) struct PublicURLTests {
    private static let nginx = "/usr/sbin/nginx"
    private static let caddy = "/usr/bin/caddy"

    /// Returns the code block of a language in docs/operate/operations.md.
    private static func lines(_ language: String) throws -> String {
        let page = try String(contentsOfFile: Fixtures.project + "/docs/operate/operations.md", encoding: .utf8)
        let blocks = page.components(separatedBy: "```")
        let block = try #require(blocks.first { $0.hasPrefix(language + "\n") })
        return String(block.dropFirst(language.count))
    }

    /// Creates a root with the renditions of one image.
    private static func makeRoot() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload =
                #"{"aps": {"alert": "x", "mutable-content": 1}, "image": "\#(origin.baseURL)/photo-small.jpg"}"#
            let path = try directory.write(payload, as: "payload.json")
            let run = try await ProgramRun.appgroupd(
                "process", "--root", directory.path + "/root", "--allow-address", "127.0.0.0/8", path)
            #expect(run.status == 0, "\(run.errors)")
        }
        return directory
    }

    /// Returns the doctor's finding about the public URL.
    private static func finding(_ directory: TemporaryDirectory, _ url: String) async throws -> (String, String) {
        let yaml = try directory.write("root: \(directory.path)/root\npublicURL: \(url)\n", as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd("doctor", "--config", yaml, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array)
        let check = try #require(checks.first { $0["name"]?.string == "public URL" })
        return (check["status"]?.string ?? "", check["found"]?.string ?? "")
    }

    private static func withNginx(
        _ directory: TemporaryDirectory, _ location: String, _ body: (_ url: String) async throws -> Void
    ) async throws {
        let port = try freePort()
        _ = try directory.write(
            """
            daemon off; master_process off; pid nginx.pid; error_log stderr crit;
            events { worker_connections 64; }
            http {
                access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                server { listen 127.0.0.1:\(port); \(location) }
            }
            """, as: "nginx.conf")
        let command = ParentBoundCommand(nginx, ["-p", directory.path, "-e", "stderr", "-c", "nginx.conf"])
        try await with(command, at: port, body)
    }

    private static func withCaddy(
        _ directory: TemporaryDirectory, _ lines: String, _ body: (_ url: String) async throws -> Void
    ) async throws {
        let port = try freePort()
        let path = try directory.write(
            """
            {
                admin off
                auto_https off
                storage file_system \(directory.path)/caddy
            }
            http://127.0.0.1:\(port) {
                bind 127.0.0.1
            \(lines)
            }
            """, as: "Caddyfile")
        let command = ParentBoundCommand(caddy, ["run", "--config", path, "--adapter", "caddyfile"])
        try await with(command, at: port, body)
    }

    /// Runs a web server until the body has ended.
    private static func with(
        _ command: ParentBoundCommand, at port: UInt16, _ body: (_ url: String) async throws -> Void
    ) async throws {
        let process = command.process()
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        defer {
            // The server may inherit a mask that blocks SIGTERM.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try await wait(for: "the web server") { accepts(port) }
        try await body("http://127.0.0.1:\(port)")
    }

    static func freePort() throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 ? getsockname(listener, $0, &length) : -1
            }
        }
        try #require(status == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    static func accepts(_ port: UInt16) -> Bool {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    @Test func `nginx serves renditions with the documented configuration, and doctor compares the bytes`()
        async throws
    {
        let directory = try await Self.makeRoot()
        // Without a master process, the worker of nginx has the user of this test.
        let lines = try Self.lines("nginx").replacingOccurrences(
            of: "/var/lib/appgroupd", with: directory.path + "/root")
        try await Self.withNginx(directory, lines) { url in
            let (status, found) = try await Self.finding(directory, url)
            #expect(status == "ok" && found.contains("the rendition"), "\(found)")
        }
        try await Self.withNginx(directory, "") { url in
            let (status, found) = try await Self.finding(directory, url)
            #expect(status == "failed" && found.contains("404"), "\(found)")
        }
        let (status, found) = try await Self.finding(directory, "http://127.0.0.1:1")
        #expect(status == "failed" && found.contains("connect-failed"), "\(found)")
    }

    @Test func `Caddy serves renditions with the documented configuration`() async throws {
        let directory = try await Self.makeRoot()
        let lines = try Self.lines("caddyfile").replacingOccurrences(
            of: "/var/lib/appgroupd", with: directory.path + "/root")
        try await Self.withCaddy(directory, lines) { url in
            let (status, found) = try await Self.finding(directory, url)
            #expect(status == "ok" && found.contains("the rendition"), "\(found)")
        }
    }

    @Test func `doctor passes the public URL check if there is no rendition`() async throws {
        let directory = try TemporaryDirectory()
        let (status, found) = try await Self.finding(directory, "http://127.0.0.1:1")
        #expect(status == "ok" && found.contains("not tried"), "\(found)")
    }

    @Test func `a daemon with a public URL logs that a web server must serve the media`() async throws {
        try await ServedRoot.withRoot { root in
            let yaml = try root.write("publicURL: https://media.example.com\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", yaml)
            // The daemon logs this line after the line about its readiness.
            try await wait(for: "the warning") {
                daemon.log.lines.elements.contains { $0.contains("publicURL") && $0.contains("warning") }
            }
        }
    }

    @Test func `a root with files of another group is refused with the command that corrects it`() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/a root/group.demo/media", withIntermediateDirectories: true)
        let yaml = try directory.write("listen: none\nfiles:\n  group: \"54321\"\n", as: "appgroupd.yaml")
        for command in ["config", "serve"] {
            let run = try await ProgramRun.appgroupd(command, "--config", yaml, "--root", directory.path + "/a root")
            #expect(run.status == 2)
            let line = try #require(run.errors.first)
            #expect(line.contains("files.group: \(directory.path)/a root/group.demo"), "\(line)")
            #expect(line.contains("chgrp -R 54321 '\(directory.path)/a root'"), "\(line)")
        }
    }
}

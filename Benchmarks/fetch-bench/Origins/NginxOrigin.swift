import Base
import BenchProcess
import Glibc
import LinuxIO
import NotificationModel

/// An nginx process on the loopback, with a certificate of its own. The origin serves one file under any number of
/// URLs, and the media of the fixtures with one log line for each response. The process ends with its owner.
struct NginxOrigin: ~Copyable {
    static let executable = "/usr/sbin/nginx"
    static let byteCount = 65_536

    /// The certificate of the secure URLs.
    let caFile: String
    private let plain: UInt16
    private let secure: UInt16
    /// The URL of the fixtures' media, with a slash at the end.
    let mediaAddress: String
    private let directory: String
    private let process: ChildProcess

    init(in directory: String, media: String) throws {
        let (plain, secure) = (try Self.freePort(), try Self.freePort())
        process = try Self.start(in: directory, plain, secure, media: media)
        self.directory = directory
        caFile = directory + "/certificate.pem"
        (self.plain, self.secure) = (plain, secure)
        mediaAddress = "http://127.0.0.1:\(plain)/media/"
    }

    func urls(isSecure: Bool, hosts: Int) -> FileURLs {
        FileURLs(isSecure: isSecure, port: Int(isSecure ? secure : plain), hosts: hosts)
    }

    private static func start(
        in directory: String, _ plain: UInt16, _ secure: UInt16, media: String
    ) throws -> ChildProcess {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<byteCount / 8).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
        // The fetcher refuses bytes that are no media.
        bytes.replaceSubrange(..<4, with: [0xFF, 0xD8, 0xFF, 0xE0])
        try FileSystem.write(bytes, toFile: directory + "/file")
        try makeCertificate(in: directory)
        try FileSystem.write(
            Array(configuration(directory, plain, secure, media: media).utf8), toFile: directory + "/nginx.conf")
        guard FileSystem.isExecutable(executable) else {
            throw BenchFailure("\(executable) is missing: scripts/setup bench installs it")
        }
        let nothing = OwnedDescriptor(adopting: open("/dev/null", O_RDWR | O_CLOEXEC))
        let process = try ChildProcess.spawn(
            executable, arguments: ["-p", directory, "-c", directory + "/nginx.conf"], inheriting: nothing.raw)
        try waitUntilReachable(plain)
        return process
    }

    /// The number of responses with a media item so far. A response is logged when it is complete.
    var mediaAnswers: Int {
        let log = (try? FileSystem.contents(of: directory + "/media.log")) ?? []
        return log.count { $0 == UInt8(ascii: "\n") }
    }

    /// Returns the configuration with one process, so that nginx and its client each have a processor.
    private static func configuration(_ directory: String, _ plain: UInt16, _ secure: UInt16, media: String) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(directory)/\($0);" }
        // Host names of this machine resolve to ::1 if the machine has that address.
        let hasIPv6 = (try? FileSystem.contents(of: "/proc/net/if_inet6"))?.isEmpty == false
        let listening = (["127.0.0.1"] + (hasIPv6 ? ["[::1]"] : [])).map { address in
            "listen \(address):\(plain) backlog=4096; listen \(address):\(secure) ssl http2 backlog=4096;"
        }
        return """
            daemon off;
            master_process off;
            pid \(directory)/nginx.pid;
            error_log stderr crit;
            events { worker_connections 4096; }
            http {
                \(places.joined(separator: " "))
                access_log off;
                default_type application/octet-stream;
                types { image/jpeg jpg; }
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                open_file_cache max=64;
                ssl_certificate \(directory)/certificate.pem;
                ssl_certificate_key \(directory)/key.pem;
                server {
                    \(listening.joined(separator: "\n"))
                    root \(directory);
                    location /media/ { alias \(media)/; access_log \(directory)/media.log; }
                }
            }
            """
    }

    private static func makeCertificate(in directory: String) throws {
        let names = (0..<16).map { "DNS:\(FileURLs.host($0))" }.joined(separator: ",")
        let openssl = try MeasuredProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=fetch-bench", "-addext", "subjectAltName=\(names)", "-keyout", directory + "/key.pem",
                "-out", directory + "/certificate.pem",
            ])
        _ = try openssl.end()
    }

    /// Returns a port that no other process uses at this moment.
    private static func freePort() throws -> UInt16 { try LoopbackSocket.listening().port }

    private static func waitUntilReachable(_ port: UInt16) throws {
        let end = MonotonicInstant.now + .seconds(10)
        while !LoopbackSocket.connects(to: port) {
            guard MonotonicInstant.now < end else { throw BenchFailure("nginx does not answer on port \(port)") }
            poll(nil, 0, 10)
        }
    }
}

import Authentication
import Base
import Foundation
import LinuxIO
import Logging
import NIOCore
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of HTTPS with real curl as the client, and certificates of openssl.
@Suite(.timeLimit(.minutes(1)))
struct SecureServerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let ended = AsyncEvent()
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let reading = Task.detached { pipe.fileHandleForReading.readDataToEndOfFile() }
        await ended.wait()
        return (process.terminationStatus, String(decoding: await reading.value, as: UTF8.self))
    }

    private func certificate(_ name: String) async throws -> CertificateFiles {
        let made = try await TestCertificate.make(name, in: directory)
        return CertificateFiles(chain: made.chain, key: made.key)
    }

    /// Reads a certificate, whose files are read again on a thread of the test.
    static func serverCertificate(
        _ files: CertificateFiles, clock: any RequestClock = SystemClock(), log: LogLines = LogLines()
    ) throws -> ServerCertificate {
        try ServerCertificate(files, on: thread, clock: clock, logger: Logger(label: "test") { _ in log.handler })
    }

    /// The thread for files, which all tests of the suite use. It ends with the process.
    private static let thread = try! EventLoop.start(name: "agd-files")

    private func serve(
        _ files: CertificateFiles, clock: any RequestClock = SystemClock(), handshakeLimit: Duration = .seconds(10),
        idleLimit: Duration = .seconds(60), writeLimit: Duration = .seconds(30), maxStreams: Int = 4_096,
        _ body: @Sendable (ServerBench, ServerCertificate) async throws -> Void
    ) async throws {
        var settings = HTTPServerSettings()
        settings.handshakeLimit = handshakeLimit
        settings.idleLimit = idleLimit
        settings.writeLimit = writeLimit
        settings.maxStreams = maxStreams
        let certificate = try Self.serverCertificate(files, clock: clock)
        settings.certificate = certificate
        try await ServerBench.run(settings) { try await body($0, certificate) }
    }

    static func curl(
        _ bench: ServerBench, _ path: String, trusting files: CertificateFiles, _ arguments: [String] = []
    ) async throws -> (status: Int32, output: String) {
        try await run(
            "curl",
            [
                "-sS", "--max-time", "10", "--cacert", files.chain, "--resolve", "localhost:\(bench.port):127.0.0.1",
            ] + arguments + ["https://localhost:\(bench.port)\(path)"])
    }

    @Test(arguments: [("--http2", "2"), ("--http1.1", "1.1"), ("--no-alpn", "1.1")])
    func `the client chooses the version of HTTP`(option: String, version: String) async throws {
        let files = try await certificate("a")
        try await serve(files) { bench, _ in
            let answer = try await Self.curl(
                bench, "/healthz", trusting: files, [option, "-w", "%{http_version} %{http_code}"])
            #expect(answer.output == "ok\n\(version) 200")
            let submitted = try await Self.curl(
                bench, "/v1/notifications", trusting: files,
                [option, "-d", #"{"aps":{}}"#, "-H", "Prefer: respond-async", "-o", "/dev/null", "-w", "%{http_code}"])
            #expect(submitted.output == "202")
            #expect(bench.coordinator.submissions.first?.body == Array(#"{"aps":{}}"#.utf8))
        }
    }

    @Test func `a client that resets its HTTP/2 stream cancels its wait`() async throws {
        let files = try await certificate("a")
        try await serve(files) { bench, _ in
            async let answer = Self.curl(
                bench, "/v1/notifications", trusting: files, ["--http2", "-d", "{}", "--max-time", "0.5"])
            await bench.coordinator.wait { $0.waits == 1 }
            let status = try await answer.status
            #expect(status == 28)
            await bench.coordinator.wait { $0.waitsLeft == 1 }
        }
    }

    @Test func `an event stream over HTTP/2 delivers its events`() async throws {
        let files = try await certificate("a")
        try await serve(files) { bench, _ in
            let key = FakeCoordinator.key("a")
            bench.coordinator.set(.running, of: key)
            async let answer = Self.curl(bench, "/v1/notifications/a/events", trusting: files, ["--http2"])
            await bench.coordinator.wait { $0.listeners == 1 }
            bench.coordinator.emit(key)
            let events = try await answer
            #expect(events.status == 0 && events.output.contains("event: emitted"))
        }
    }

    @Test func `a body with too many small frames ends its stream`() async throws {
        var chunks = BodyChunks(ofRequestFor: "/v1/notifications")
        let small = (0...BodyChunks.maxSmall).map { _ in chunks.add(1) }
        #expect(small.dropLast().allSatisfy { $0 } && small.last == false)
        var large = BodyChunks(ofRequestFor: "/v1/notifications")
        let whole = (0..<10_000).map { _ in large.add(BodyChunks.minAverage) }
        #expect(whole.allSatisfy { $0 })
    }

    @Test func `a renewed certificate is used by new connections, and a broken one is not used`() async throws {
        let (old, new) = (try await certificate("old"), try await certificate("new"))
        let used = CertificateFiles(chain: directory.path + "/used.pem", key: directory.path + "/used.key")
        @Sendable func use(_ files: CertificateFiles) throws {
            for (from, to) in [(files.chain, used.chain), (files.key, used.key)] {
                try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
            }
        }
        try use(old)
        let clock = ManualClock()
        try await serve(used, clock: clock) { bench, certificate in
            #expect(try await Self.curl(bench, "/healthz", trusting: old).status == 0)
            try Data("broken".utf8).write(to: URL(filePath: used.chain))
            certificate.refresh()
            #expect(try await Self.curl(bench, "/healthz", trusting: old).status == 0)
            try use(new)
            certificate.refresh()
            #expect(try await Self.curl(bench, "/healthz", trusting: new).status == 0)
            #expect(try await Self.curl(bench, "/healthz", trusting: old).status == 60)
        }
    }

    @Test func `with client authorities, a client without a certificate is refused`() async throws {
        let (server, client) = (try await certificate("server"), try await certificate("client"))
        var files = server
        files.clientAuthorities = client.chain
        try await serve(files) { bench, _ in
            #expect(try await Self.curl(bench, "/healthz", trusting: server).status != 0)
            let known = try await Self.curl(
                bench, "/healthz", trusting: server, ["--cert", client.chain, "--key", client.key])
            #expect(known.output == "ok\n")
            let other = try await Self.curl(
                bench, "/healthz", trusting: server, ["--cert", server.chain, "--key", server.key])
            #expect(other.status != 0)
        }
    }

    /// Starts a client that negotiates HTTP/2, and then sends the given bytes, and reads and acknowledges nothing.
    private static func silentClient(_ bench: ServerBench, sending bytes: String) throws -> (Process, AsyncEvent) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "s_client", "-connect", "127.0.0.1:\(bench.port)", "-alpn", "h2", "-quiet", "-no_ign_eof",
        ]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let ended = AsyncEvent()
        // The handler also keeps the input open.
        process.terminationHandler = { _ in withExtendedLifetime(input) { ended.signal() } }
        try process.run()
        input.fileHandleForWriting.write(Data(bytes.utf8))
        return (process, ended)
    }

    private static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"

    @Test(arguments: ["", preface])
    func `an HTTP/2 client without a stream is disconnected, whatever it acknowledges`(bytes: String) async throws {
        let files = try await certificate("a")
        try await serve(files, idleLimit: .milliseconds(200)) { bench, _ in
            let (_, ended) = try Self.silentClient(bench, sending: bytes)
            await ended.wait()
        }
    }

    /// Returns an HTTP/2 frame, whose bytes are all below 128.
    private static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: String = "") -> String {
        let head = [0, 0, UInt8(payload.utf8.count), kind, flags, 0, 0, 0, stream]
        return String(decoding: head, as: UTF8.self) + payload
    }

    /// Returns a field line of HPACK without compression.
    private static func field(_ name: String, _ value: String) -> String {
        "\0" + [name, value].map { String(decoding: [UInt8($0.utf8.count)], as: UTF8.self) + $0 }.joined()
    }

    @Test func `a client without a window for a small response is disconnected`() async throws {
        let files = try await certificate("a")
        let request = [(":method", "GET"), (":scheme", "https"), (":path", "/healthz"), (":authority", "localhost")]
        let noWindow = Self.frame(4, "\0\u{4}\0\0\0\0")
        let get = Self.frame(1, flags: 5, stream: 1, request.map(Self.field).joined())
        try await serve(files, idleLimit: .milliseconds(200), writeLimit: .milliseconds(200)) { bench, _ in
            let (_, ended) = try Self.silentClient(bench, sending: Self.preface + noWindow + get)
            // The stream ends at the write limit, and the connection without a stream ends at the idle limit.
            await ended.wait()
        }
    }

    @Test func `a client that floods its connection with WINDOW_UPDATE frames is disconnected`() async throws {
        let files = try await certificate("a")
        let flood = String(repeating: Self.frame(8, "\0\0\0\u{1}"), count: UnaskedFrames.most + 2)
        try await serve(files, idleLimit: .seconds(3_600)) { bench, _ in
            let (_, ended) = try Self.silentClient(bench, sending: Self.preface + flood)
            await ended.wait()
        }
    }

    @Test func `a stream beyond the limit of all connections is refused until another stream ends`() async throws {
        let files = try await certificate("a")
        try await serve(files, maxStreams: 1) { bench, _ in
            async let waiting = Self.curl(
                bench, "/v1/notifications", trusting: files, ["--http2", "-d", "{}", "--max-time", "2"])
            await bench.coordinator.wait { $0.waits == 1 }
            let refused = try await Self.curl(bench, "/healthz", trusting: files, ["--http2"])
            #expect(refused.status != 0 && refused.output.isEmpty)
            _ = try await waiting
            await bench.coordinator.wait { $0.waitsLeft == 1 }
            let admitted = try await Self.curl(bench, "/healthz", trusting: files, ["--http2"])
            #expect(admitted.output == "ok\n")
        }
    }

    @Test func `the server ends beside an HTTP/2 client that acknowledges nothing`() async throws {
        let files = try await certificate("a")
        var client: (Process, AsyncEvent)?
        defer { client?.0.terminate() }
        client = try await {
            var settings = HTTPServerSettings()
            settings.certificate = try Self.serverCertificate(files)
            return try await ServerBench.run(settings) { bench in
                let client = try Self.silentClient(bench, sending: Self.preface)
                // The answer of another client shows that the server runs.
                _ = try await Self.curl(bench, "/healthz", trusting: files)
                return client
            }
        }()
        // `run` has returned, so the server has ended before its client.
        #expect(client != nil)
    }

    @Test func `the server ends beside a client that does not begin its handshake`() async throws {
        let files = try await certificate("a")
        try await serve(files, handshakeLimit: .seconds(3_600)) { bench, _ in
            // The client stays connected while the server ends.
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                _ = try await Self.curl(bench, "/healthz", trusting: files)
                await bench.beginShutdown()
                _ = try? await connection.readAnswer(toHead: false)
            }
            await bench.ended.wait()
        }
    }

    @Test func `a client that does not end its handshake is disconnected`() async throws {
        let files = try await certificate("a")
        try await serve(files, handshakeLimit: .milliseconds(100)) { bench, _ in
            let answer = try? await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.readAnswer(toHead: false)
            }
            #expect(answer?.status != 200)
            let other = try await Self.curl(bench, "/healthz", trusting: files)
            #expect(other.status == 0)
        }
    }
}

import Authentication
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of HTTP/2 with a client that sends single frames.
@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
    private static let window = 65_535

    private static func run(
        access: AccessControl? = nil, _ body: @Sendable (inout RawFrames) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let made = try await TestCertificate.make("a", in: directory)
        var settings = HTTPServerSettings()
        settings.needsToken = access != nil
        settings.certificate = try SecureServerTests.serverCertificate(
            CertificateFiles(chain: made.chain, key: made.key))
        try await ServerBench.run(settings, access: access ?? AccessControl()) { bench in
            try await RawFrames.open(to: bench.port) { try await body(&$0) }
        }
    }

    @Test func `PINGs before the acknowledgement of SETTINGS are answered, and calls too`() async throws {
        try await Self.run { frames in
            for number in 0..<5 { try await frames.send(.ping, [UInt8](repeating: UInt8(number), count: 8)) }
            try await frames.request("GET", "/healthz", stream: 1)
            var pings: [UInt8] = []
            var status = 0
            while pings.count < 5 || status == 0 {
                let frame = try await frames.next()
                #expect(frame.kind != .goAway && frame.kind != .reset)
                if frame.kind == .ping, frame.hasFirstFlag { pings.append(frame.payload[0]) }
                if frame.kind == .headers { status = frame.status }
            }
            #expect(pings == [0, 1, 2, 3, 4] && status == 200)
        }
    }

    /// Paths whose handlers do not read the body of the request: an unknown path, a route without a body, and a route
    /// that refuses the declared length.
    @Test(arguments: ["/nope", "/v1/status", "/healthz"])
    func `the window of an unread body is given back, and other streams continue`(path: String) async throws {
        try await Self.run { frames in
            var (window, stream, sent) = (Self.window, UInt32(1), 0)
            // The bodies together have eight times the window of the connection.
            while sent < 8 * Self.window {
                try await frames.request("POST", path, stream: stream, isLast: false)
                // A frame may have 16 KiB. The server may reset the stream before the last of them.
                for _ in 0..<3 where window >= 16_384 {
                    try await frames.send(.data, stream: stream, [UInt8](repeating: 0, count: 16_384))
                    window -= 16_384
                    sent += 16_384
                }
                try await frames.request("GET", "/healthz", stream: stream + 2)
                var hasAnswer = false
                // The server gives the window back when half of it is used.
                while !hasAnswer || window < Self.window / 2 {
                    let frame = try await frames.next()
                    #expect(frame.kind != .goAway)
                    if frame.kind == .windowUpdate, frame.stream == 0 { window += frame.increment }
                    if frame.kind == .headers, frame.stream == stream + 2 { hasAnswer = frame.status == 200 }
                }
                try await frames.send(.reset, stream: stream, [0, 0, 0, 8])
                stream += 4
            }
        }
    }

    @Test func `100 refused calls in a row end the connection with GOAWAY`() async throws {
        try await Self.run(access: AccessControl()) { frames in
            for number in 0..<100 {
                try await frames.request("GET", "/v1/status", stream: UInt32(2 * number + 1))
                let answer = try await frames.next(.headers)
                #expect(answer.stream == 2 * number + 1)
            }
            _ = try await frames.next(.goAway)
            try? await frames.request("GET", "/healthz", stream: 201)
            // The stream after the last refusal has no answer, and the server closes the connection.
            while let frame = try? await frames.next() { #expect(frame.kind != .headers) }
        }
    }

    @Test(
        arguments: [
            ("only :authority", [(":authority", "box.lan")], 200), ("only host", [("host", "box.lan")], 200),
            ("both", [(":authority", "box.lan"), ("host", "Box.lan:443")], 200),
            ("neither", [], 400), ("two hosts", [("host", "box.lan"), ("host", "box.lan")], 400),
            ("another host", [(":authority", "box.lan"), ("host", "evil.example")], 400),
            ("another port", [(":authority", "box.lan"), ("host", "box.lan:8443")], 400),
            ("a user", [(":authority", "me@box.lan")], 400), ("no port", [(":authority", "box.lan:a")], 400),
        ] as [(String, [(String, String)], Int)])
    func `a request has one authority`(name: String, fields: [(String, String)], status: Int) async throws {
        try await Self.run(access: AccessControl()) { frames in
            let head = [(":method", "GET"), (":scheme", "https"), (":path", "/healthz")]
            // Fields without a colon follow the others.
            let all = head + fields.filter { $0.0.hasPrefix(":") } + fields.filter { !$0.0.hasPrefix(":") }
            try await frames.sendHead(all.map { (name: $0.0, value: $0.1) }, stream: 1)
            let answer = try await frames.next(.headers)
            #expect(answer.status == status, "\(name)")
        }
    }
}

import NIOCore
import Testing

@testable import HTTPAPI

/// Tests of input that belongs to no request.
@Suite(.timeLimit(.minutes(1)))
struct UnaskedInputTests {
    private static func frame(_ kind: UInt8, _ payload: Int) -> [UInt8] {
        [0, UInt8(payload >> 8), UInt8(payload & 0xff), kind, 0, 0, 0, 0, 1] + Array(repeating: 8, count: payload)
    }

    private static let preface = Array(repeating: UInt8(8), count: 24)

    /// Adds bytes in pieces, and returns whether the connection may continue after the last piece.
    private static func add(_ bytes: [UInt8], pieces: Int, to frames: inout UnaskedFrames) -> Bool {
        var isPermitted = true
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = ByteBuffer(bytes: bytes[start..<min(bytes.count, start + pieces)])
            isPermitted = frames.add(piece.readableBytesView)
        }
        return isPermitted
    }

    @Test(arguments: [1, 7, 9, 13, 4_096])
    func `WINDOW_UPDATE frames are counted in pieces of any size`(pieces: Int) {
        var frames = UnaskedFrames()
        let update = Self.frame(8, 4)
        let most = Self.preface + Array(repeatElement(update, count: UnaskedFrames.most).joined())
        #expect(Self.add(most, pieces: pieces, to: &frames))
        #expect(!Self.add(update, pieces: pieces, to: &frames))
        frames.addSent(UnaskedFrames.bytesPerFrame)
        #expect(Self.add([], pieces: pieces, to: &frames))
    }

    @Test(arguments: [
        (UInt8(7), false), (8, false), (0xbb, false), (0, true), (1, true), (3, true), (6, true), (9, true),
    ])
    func `only frames that belong to no request and that NIOHTTP2 does not limit are counted`(
        kind: UInt8, isPermitted: Bool
    ) {
        var frames = UnaskedFrames()
        let many = Self.preface + Array(repeatElement(Self.frame(kind, 300), count: UnaskedFrames.most + 1).joined())
        #expect(Self.add(many, pieces: 1_000, to: &frames) == isPermitted)
    }

    @Test func `the bytes of a connection are limited by the bytes of its bodies`() {
        var bytes = InputBytes()
        let (most, more) = (bytes.add(InputBytes.most), bytes.add(1))
        bytes.addBody(1)
        let withBody = bytes.add(1)
        bytes.beginRequest()
        let next = bytes.add(InputBytes.most)
        #expect([most, more, withBody, next] == [true, false, true, true])
    }

    @Test(arguments: [
        "\r\n", "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    ])
    func `a connection with endless input that belongs to no request gets 400`(beginning: String) async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(beginning)
                let piece = beginning == "\r\n" ? String(repeating: beginning, count: 4_096) : Self.spaces
                for _ in 0...(InputBytes.most / piece.utf8.count) { try? await connection.send(piece) }
                let answer = await connection.readToEnd()
                #expect(answer.hasPrefix("HTTP/1.1 400 "))
            }
        }
    }

    private static let spaces = String(repeating: "x", count: 8_192)

    @Test func `a client that leaves after a malformed request frees its place`() async throws {
        var settings = HTTPServerSettings()
        settings.maxConnections = 1
        settings.idleLimit = .seconds(3_600)
        try await ServerBench.run(settings) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send("nonsense\r\n\r\n")
                let status = try await connection.readAnswer().status
                #expect(status == 400)
                for _ in 0..<20 { try? await connection.send(Self.spaces) }
            }
            let next = try await bench.send("GET", "/healthz").status
            #expect(next == 200)
        }
    }
}

import Base
import MediaHeaders
import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct TransferStateTests {
    private let start = MonotonicInstant.now

    private func state(_ limits: FetchLimits = FetchLimits()) -> TransferState {
        TransferState(limits: limits, startedAt: start)
    }

    @Test func `an interim response does not end the waiting phase`() {
        var state = state()
        state.pace.move(to: .waiting, at: start)
        #expect(state.received(ResponseInfo(status: 103, declaredBytes: nil), at: start) == .proceed)
        #expect(state.pace.phase == .waiting)
        #expect(state.received(ResponseInfo(status: 200, declaredBytes: 10), at: start) == .proceed)
        #expect(state.pace.phase == .receiving)
    }

    @Test(
        arguments: [
            (206, "bytes 100-199/200", true), (206, "bytes 0-199/200", false), (206, nil, false), (200, nil, false),
            (416, nil, false),
        ] as [(Int, String?, Bool)])
    func `a tail of a file is accepted only if it is the requested range`(
        _ status: Int, _ range: String?, _ isTaken: Bool
    ) {
        let version = ArrivingMedia.Version(validator: nil, completeLength: 200)
        var state = TransferState(bodyMode: .tail(from: 100, of: version), limits: FetchLimits(), startedAt: start)
        let verdict = state.received(
            ResponseInfo(status: status, declaredBytes: 100, contentRange: range), at: start)
        #expect(state.isWanted == isTaken && (verdict == .proceed) == isTaken)
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        arguments: [
            ("\"a\"", ResponseInfo(status: 206, contentRange: "bytes 100-199/200", entityTag: "\"a\""), true),
            ("\"a\"", ResponseInfo(status: 206, contentRange: "bytes 100-199/200"), true),
            ("\"a\"", ResponseInfo(status: 206, contentRange: "bytes 100-199/*", entityTag: "\"a\""), true),
            ("\"a\"", ResponseInfo(status: 206, contentRange: "bytes 100-199/200", entityTag: "\"b\""), false),
            ("\"a\"", ResponseInfo(status: 206, contentRange: "bytes 100-200/201", entityTag: "\"a\""), false),
            (date, ResponseInfo(status: 206, contentRange: "bytes 100-199/200", lastModified: date), true),
            (date, ResponseInfo(status: 206, contentRange: "bytes 100-199/200", lastModified: "later"), false),
            (nil, ResponseInfo(status: 206, contentRange: "bytes 100-200/201"), false),
        ] as [(String?, ResponseInfo, Bool)])
    func `a tail of another version of the file is refused`(_ validator: String?, _ head: ResponseInfo, _ isTaken: Bool)
    {
        let version = ArrivingMedia.Version(validator: validator, completeLength: 200)
        var state = TransferState(bodyMode: .tail(from: 100, of: version), limits: FetchLimits(), startedAt: start)
        _ = state.received(head, at: start)
        #expect(state.isWanted == isTaken)
    }

    @Test func `an announced length over every limit aborts before the first byte`() {
        var state = state()
        #expect(state.received(ResponseInfo(status: 200, declaredBytes: 50_000_001), at: start) == .abort)
        #expect(state.failure?.reason == .tooLarge)
    }

    @Test func `a body that is longer than announced is checked against the limits`() {
        var limits = FetchLimits()
        limits.videoBytes = 100
        limits.imageBytes = 100
        limits.soundBytes = 100
        var state = state(limits)
        #expect(state.received(ResponseInfo(status: 200, declaredBytes: 10), at: start) == .proceed)
        #expect(state.received([UInt8](repeating: 0, count: 100), at: start) == .proceed)
        #expect(state.received([0], at: start) == .abort)
        #expect(state.failure?.reason == .tooLarge)
    }

    /// A transport stream is recognized at its 376th byte, and a PNG is recognized at its eighth byte.
    @Test(arguments: [[8], [1, 7], [3, 100, 2_000], [511, 1], [512], [600, 600], [16_384]])
    func `a media item is recognized by its first bytes, independent of their division into parts`(_ pieces: [Int]) {
        let png = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let packets = (0..<3_000).map { $0 % 188 == 0 ? 0x47 : 0 }
        let packetClass: MediaKind? = pieces.reduce(0, +) > 376 ? .video : nil
        let zeros = [Int](repeating: 0, count: 3_000)
        for (bytes, mediaKind) in [(png + packets, .image), (packets, packetClass), (zeros, nil)] {
            var (state, rest) = (state(), bytes.map(UInt8.init)[...])
            _ = state.received(ResponseInfo(status: 200), at: start)
            for piece in pieces {
                #expect(state.received(rest.prefix(piece), at: start) == .proceed)
                rest = rest.dropFirst(piece)
            }
            #expect(state.mediaKind == mediaKind, "\(bytes.prefix(4))")
        }
    }

    @Test func `a media item is not recognized by later bytes`() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var state = state()
        _ = state.received(ResponseInfo(status: 200), at: start)
        _ = state.received([UInt8](repeating: 0, count: 512), at: start)
        _ = state.received(png, at: start)
        #expect(state.mediaKind == nil)
        var resumed = TransferState(bodyMode: .resume(from: 100, as: nil), limits: FetchLimits(), startedAt: start)
        _ = resumed.received(ResponseInfo(status: 206, contentRange: "bytes 100-199/200"), at: start)
        #expect(resumed.received(png, at: start) == .proceed)
        #expect(resumed.mediaKind == nil)
    }

    @Test func `a transfer reports the first of its failures`() {
        var state = state()
        state.refuse(MediaFailure(.forbiddenAddress, "one"))
        _ = state.received(ResponseInfo(status: 200, declaredBytes: 50_000_001), at: start)
        #expect(state.failure?.reason == .forbiddenAddress)
    }

    @Test(arguments: [301, 302, 304, 404, 500, 503, 204, 205, 206])
    func `a response without the media item ends with its headers, unless it has no body`(_ status: Int) {
        for (length, verdict) in [(0, .proceed), (1, .abort), (nil, .abort)] as [(Int?, TransferState.Verdict)] {
            var state = state()
            let head = ResponseInfo(status: status, declaredBytes: length)
            #expect(state.received(head, at: start) == (status == 304 ? .proceed : verdict))
            #expect(!state.isWanted)
            #expect(state.failure == nil)
        }
    }

    @Test func `a switch of protocols that was not requested is refused`() {
        var state = state()
        #expect(state.received(ResponseInfo(status: 101), at: start) == .abort)
        #expect(state.failure?.reason == .httpStatus)
    }

    @Test(arguments: [
        ("bytes 100-199/200", true), ("bytes 100-199/*", true), ("bytes 0-199/200", false),
        ("bytes 101-199/200", false),
        ("items 100-199/200", false), ("bytes */200", false), ("", false),
    ])
    func `the rest of a body must begin at the requested position`(_ range: String, _ isWanted: Bool) {
        var state = TransferState(bodyMode: .resume(from: 100, as: nil), limits: FetchLimits(), startedAt: start)
        _ = state.received(ResponseInfo(status: 206, declaredBytes: 100, contentRange: range), at: start)
        #expect(state.isWanted == isWanted)
        #expect(state.byteCount == 100)
    }

    @Test func `a whole body in place of the requested rest replaces the received bytes`() {
        var state = TransferState(bodyMode: .resume(from: 100, as: nil), limits: FetchLimits(), startedAt: start)
        #expect(state.received(ResponseInfo(status: 200, declaredBytes: 200), at: start) == .proceed)
        #expect(state.byteCount == 0)
    }

    @Test func `the limit applies to the complete length, and not to the length of the part`() {
        var state = TransferState(bodyMode: .resume(from: 100, as: nil), limits: FetchLimits(), startedAt: start)
        let head = ResponseInfo(status: 206, declaredBytes: 100, contentRange: "bytes 100-199/50000001")
        #expect(state.received(head, at: start) == .abort)
        #expect(state.failure?.reason == .tooLarge)
    }

    private func read(_ lines: [String], _ state: inout TransferState) -> [TransferState.HeadLine] {
        lines.map { line in Array(line.utf8).withUnsafeBytes { state.receivedHead($0) } }
    }

    @Test func `only the first header line is a status line`() {
        var state = state()
        let interim = read(["HTTP/1.1 103 Early Hints\r\n", "link: x\r\n", "\r\n"], &state)
        #expect(interim == [.status, .field, .end])
        // A field whose name looks like a status line must not hide the other fields.
        let lines = read(["HTTP/1.1 200 OK\r\n", "a: b\r\n", "HTTP/x: y\r\n", "\r\n"], &state)
        #expect(lines == [.status, .field, .field, .end])
        #expect(String(decoding: state.headLines, as: UTF8.self) == "a: b\r\nHTTP/x: y\r\n")
        #expect(state.headLineEnds == [6, 17])
    }

    @Test func `the number of header lines is limited, including those of interim responses`() {
        var limits = FetchLimits()
        limits.headLines = 3
        var state = state(limits)
        let lines = read(["HTTP/1.1 103 Early Hints\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "a: b\r\n"], &state)
        #expect(lines == [.status, .end, .status, .abort])
        #expect(state.failure?.reason == .tooLarge)
    }

    @Test func `nested encodings are refused before the body is decoded`() {
        var state = state()
        #expect(state.received(ResponseInfo(status: 200, contentEncodings: ["gzip"]), at: start) == .proceed)
        #expect(state.received(ResponseInfo(status: 200, contentEncodings: ["gzip", "br"]), at: start) == .abort)
        #expect(state.failure?.reason == .unsupportedMedia)
    }

    @Test(arguments: ["br", "zstd", "compress"])
    func `an encoding that was not requested is refused before the body is decoded`(_ encoding: String) {
        var state = state()
        #expect(state.received(ResponseInfo(status: 200, contentEncodings: [encoding]), at: start) == .abort)
        #expect(state.failure?.reason == .unsupportedMedia)
    }

    @Test(arguments: ["gzip", "x-gzip", "deflate", "none"])
    func `an encoding that was requested is accepted under each of its names`(_ encoding: String) {
        var state = state()
        #expect(state.received(ResponseInfo(status: 200, contentEncodings: [encoding]), at: start) == .proceed)
    }

    @Test func `each phase has its own limit, counted from the last activity`() {
        var limits = FetchLimits()
        limits.firstByte = .seconds(3)
        limits.idle = .seconds(2)
        var state = state(limits)
        state.pace.move(at: start)
        #expect(!state.pace.isOverdue(at: start.advanced(by: .seconds(60))))
        state.pace.move(to: .waiting, at: start.advanced(by: .seconds(1)))
        #expect(state.pace.end == start.advanced(by: .seconds(4)))
        _ = state.received(ResponseInfo(status: 200, declaredBytes: nil), at: start.advanced(by: .seconds(2)))
        #expect(state.pace.end == start.advanced(by: .seconds(4)))
        _ = state.received([1, 2, 3], at: start.advanced(by: .seconds(3)))
        #expect(state.pace.end == start.advanced(by: .seconds(5)))
        #expect(!state.pace.isOverdue(at: start.advanced(by: .seconds(4.9))))
        #expect(state.pace.isOverdue(at: start.advanced(by: .seconds(5))))
    }
}

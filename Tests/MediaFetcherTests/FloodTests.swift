import HTTPCaching
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of origins that send bytes without a response for as long as a connection is open.
///
/// Without a limit, each transfer would last until the end of its budget and fail for that reason.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FloodTests {
    private func fetch(
        from origin: FloodingOrigin, trace: StageTrace = StageTrace()
    ) async throws -> Result<FetchedMedia, MediaFailure> {
        var policy = FetchPolicy()
        if origin.isSecure { policy.caFile = origin.caFile }
        return try await OriginFixture.with(policy: policy) { fixture in
            try await fixture.fetch(url: origin.url, within: .seconds(60), trace: trace)
        }
    }

    @Test(arguments: [
        "priority", "unknown", "unknown-empty", "altsvc", "window-update", "ping", "goaway", "data-empty",
        "data-padded", "data-encoded", "data-rare",
    ])
    func `a request is repeated over HTTP/1.1 if the host floods its HTTP/2 connection`(_ flood: String) async throws {
        let origin = try await FloodingOrigin(flood, isSecure: true, image: Fixtures.media + "/photo-small.jpg")
        let trace = StageTrace()
        let media = try await fetch(from: origin, trace: trace).get()
        #expect(media.byteCount == (try Fixtures.bytes("media/photo-small.jpg").count))
        #expect(trace.transfers.map(\.failure) == [.connectionLost, nil])
        #expect(trace.transfers.last?.protocolName == "http/1.1")
    }

    /// nghttp2 itself ends the connection for most of these floods.
    @Test(arguments: [
        ("settings", DegradationReason.connectionLost), ("reset", .connectionLost), ("push", .connectionLost),
        ("continuation", .connectionLost), ("interim", .tooLarge),
    ])
    func `a flood that violates HTTP/2 ends with a failure`(_ flood: String, _ reason: DegradationReason) async throws {
        #expect(try await fetch(from: FloodingOrigin(flood, isSecure: true)).reason == reason)
    }

    @Test(
        arguments: [
            ("http1-interim", DegradationReason.tooLarge), ("http1-headers", .tooLarge),
            ("http1-long-header", .tooLarge), ("http1-chunk-extension", .connectionLost),
            ("http1-small-chunks", .connectionLost), ("http1-tiny-chunks", .connectionLost),
            ("http1-trailers", .tooLarge),
        ], [false, true])
    func `a flood over HTTP/1.1 ends with a failure`(_ flood: (name: String, reason: DegradationReason), isSecure: Bool)
        async throws
    {
        let trace = StageTrace()
        let result = try await fetch(from: FloodingOrigin(flood.name, isSecure: isSecure), trace: trace)
        #expect(result.reason == flood.reason)
        #expect(trace.transfers.count == 1)
        if flood.name == "http1-long-header" {
            #expect(result.detail == "a header line of the response has more than 100 KiB")
        }
        if flood.reason == .connectionLost {
            #expect(result.detail == "the origin sent more than 256 KiB that belong to no response")
        }
    }

    @Test(arguments: [("priority", true), ("data-empty", true), ("http1-chunk-extension", false)])
    func `a flood on a reused connection ends with a failure`(_ flood: String, isSecure: Bool) async throws {
        let origin = try await FloodingOrigin(
            flood, isSecure: isSecure, image: Fixtures.media + "/photo-small.jpg", after: 2)
        var policy = FetchPolicy()
        if isSecure { policy.caFile = origin.caFile }
        try await OriginFixture.with(policy: policy) { fixture in
            var transfers: [TransferTiming] = []
            for number in 0..<4 {
                let trace = StageTrace()
                _ = try await fixture.fetch(url: "\(origin.url)?\(number)", within: .seconds(60), trace: trace).get()
                transfers += trace.transfers
            }
            #expect(transfers.map(\.failure) == [nil, nil, .connectionLost, nil, nil])
            #expect(transfers[2].isReused)
        }
    }
}

import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of media whose bytes are in the payload.
@Suite(.timeLimit(.minutes(1))) struct InlineFetchTests {
    private func url(of file: String) throws -> String {
        "data:image/jpeg;base64," + Data(try Fixtures.bytes("media/\(file)")).base64EncodedString()
    }

    @Test func `the bytes of a data URL become a file without a request`() async throws {
        try await OriginFixture.with { fixture in
            let media = try await fixture.fetch(url: url(of: "photo-small.jpg")).get()
            let bytes = try Fixtures.bytes("media/photo-small.jpg")
            #expect(media.byteCount == bytes.count)
            #expect(media.declaredType == "image/jpeg")
            #expect(try media.bytes == bytes)
        }
    }

    @Test func `equal bytes have the same identity, and different bytes have different identities`() async throws {
        try await OriginFixture.with { fixture in
            let first = try await fixture.fetch(url: url(of: "photo-small.jpg")).get()
            let again = try await fixture.fetch(url: url(of: "photo-small.jpg") + "\n").get()
            let other = try await fixture.fetch(url: url(of: "grey.jpg")).get()
            #expect(first.identity == again.identity)
            #expect(first.identity != other.identity)
        }
    }

    @Test func `bytes beyond the limit of their kind are refused as too large`() async throws {
        var limits = FetchLimits()
        limits.imageBytes = 1_000
        try await OriginFixture.with(limits: limits) { fixture in
            try await fixture.expect(.tooLarge, url: url(of: "photo-small.jpg"))
        }
    }

    @Test(arguments: [
        ("data:image/png;base64,A$", DegradationReason.corruptMedia), ("data:,", .corruptMedia),
        ("data:image/png;base64", .invalidURL),
    ])
    func `malformed bytes fail with their reason`(url: String, reason: DegradationReason) async throws {
        try await OriginFixture.with { fixture in try await fixture.expect(reason, url: url) }
    }

    @Test(
        arguments: [
            (20_001, .sound, .tooLarge), (20_000, .sound, nil), (40_001, .image, .tooLarge),
            (40_001, nil, nil), (50_001, nil, .tooLarge), (nil, .image, nil), (-1, .image, nil),
        ] as [(Int?, MediaKind?, DegradationReason?)])
    func `a declared size is compared with the limit of its kind before a request`(
        kilobytes: Int?, kind: MediaKind?, reason: DegradationReason?
    ) {
        #expect(FetchLimits().refusal(of: (kilobytes.map { $0 * 1_000 }, kind))?.reason == reason)
    }

    @Test func `a file with a declared size above the limit is not requested`() async throws {
        try await OriginFixture.with { fixture in
            var request = FetchRequest(
                url: fixture.origin.baseURL + "/photo-small.jpg", deadline: .now.advanced(by: .seconds(5)),
                trace: StageTrace()
            ) { () throws(MediaFailure) in throw MediaFailure(.internal, "no file is wanted") }
            request.declared = (40_000_001, .image)
            let result = await fixture.fetcher.fetch(request)
            #expect(result.reason == .tooLarge)
            #expect(fixture.origin.counts.requests == 0)
        }
    }
}

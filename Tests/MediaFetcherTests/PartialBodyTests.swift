import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The bytes of a download that has not ended.
@Suite(.timeLimit(.minutes(1))) struct PartialBodyTests {
    private static let film = "video-moov-last.mp4"

    /// Runs a test while a film arrives, of which 30,000 bytes are there.
    private func withArriving(
        _ path: String, _ body: (OriginFixture, [ArrivingMedia], CountedFiles) async throws -> Void
    ) async throws {
        try await OriginFixture.with { fixture in
            let files = CountedFiles()
            let media = (0..<3).map { _ in ArrivingMedia() }
            try await withThrowingTaskGroup { group in
                for arriving in media {
                    group.addTask {
                        var request = FetchRequest(
                            url: fixture.origin.baseURL + path, deadline: .now + .seconds(50), trace: StageTrace()
                        ) { () throws(MediaFailure) in try files.make() }
                        request.arriving = arriving
                        _ = await fixture.fetcher.fetch(request)
                    }
                }
                try await wait(for: "the first bytes of the film for each") {
                    media.allSatisfy { (PartialBody.largest(of: $0)?.byteCount ?? 0) >= 30_000 }
                }
                try await body(fixture, media, files)
                group.cancelAll()
            }
        }
    }

    private func parts(
        of media: [ArrivingMedia], _ fixture: OriginFixture, _ files: CountedFiles
    ) async -> [FetchedMedia?] {
        await withTaskGroup { group in
            for arriving in media {
                group.addTask {
                    await fixture.fetcher.part(of: arriving, until: .now + .seconds(20)) {
                        () throws(MediaFailure) in try files.make()
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `requests that share a download share one request for the index behind the frames`() async throws {
        try await withArriving("/stall/after/30000/\(Self.film)") { fixture, media, files in
            let parts = await parts(of: media, fixture, files)
            let whole = try Fixtures.bytes("media/\(Self.film)")
            #expect(parts.count == 3 && Set(parts.map { $0?.identity }).count == 1)
            for part in parts {
                let part = try #require(part)
                #expect(part.isPart && part.byteCount == whole.count)
                let bytes = try part.bytes
                #expect(bytes.prefix(30_000) == whole.prefix(30_000) && bytes.suffix(3_534) == whole.suffix(3_534))
            }
            #expect(Set(parts.map { $0?.file.descriptor }).count == 1)
        }
    }

    @Test func `an origin that knows no ranges is asked for nothing more`() async throws {
        try await withArriving("/range/ignored/stall/after/30000/\(Self.film)") { fixture, media, files in
            let before = files.made
            #expect(await parts(of: media, fixture, files).allSatisfy { $0 == nil })
            #expect(files.made == before)
        }
    }
}

import Base
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

/// The tests of the first bytes of a running download.
@Suite(.timeLimit(.minutes(1))) struct PartialBodyTests {
    private static let video = "video-moov-last.mp4"

    /// Runs a test while a video arrives, after at least `byteCount` bytes of it have arrived.
    private func withArriving(
        _ path: String, byteCount: Int = 30_000,
        _ body: (OriginFixture, [ArrivingMedia], CountedFiles) async throws -> Void
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
                    media.allSatisfy { (PartialBody.largest(of: $0)?.byteCount ?? 0) >= byteCount }
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

    @Test func `requests that share a download share one request for the index after the frames`() async throws {
        try await withArriving("/stall/after/30000/\(Self.video)") { fixture, media, files in
            let parts = await parts(of: media, fixture, files)
            let whole = try Fixtures.bytes("media/\(Self.video)")
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

    @Test func `an origin without range support gets no further request`() async throws {
        try await withArriving("/range/ignored/stall/after/30000/\(Self.video)") { fixture, media, files in
            let before = files.made
            #expect(await parts(of: media, fixture, files).allSatisfy { $0 == nil })
            #expect(files.made == before)
        }
    }

    /// The index begins 3,534 bytes before the end, with a header of 8 bytes.
    @Test(arguments: [3_534, 3_533, 3_527, 3_526, 1_500, 1])
    func `an index that has arrived in part is completed`(_ missing: Int) async throws {
        let whole = try Fixtures.bytes("media/\(Self.video)")
        let count = whole.count - missing
        try await withArriving("/stall/after/\(count)/\(Self.video)", byteCount: count) { fixture, media, files in
            for part in await parts(of: media, fixture, files) {
                let bytes = try part?.bytes
                #expect(bytes == whole)
            }
            #expect(fixture.origin.counts.rangesAsked.map(\.range) == ["bytes=\(count)-"])
        }
    }

    @Test func `only the bytes of an index that have not arrived are reported as missing`() throws {
        let video = try Fixtures.bytes("media/\(Self.video)")
        let start = video.count - 3_534
        func missing(_ bytes: [UInt8]) throws -> PartialBody.MissingIndex? {
            let file = try AnonymousFile.create(in: "/tmp")
            try FileSystem.write(bytes[...], to: file.descriptor)
            let body = ArrivingMedia.Body(file: file, url: "https://a.example/1", identity: "1")
            return PartialBody(body: body, byteCount: bytes.count).missingIndex
        }
        #expect(try missing(video) == nil)
        #expect(try missing(video + [0, 0, 0]) == nil)
        #expect(try missing(Array(video.dropLast())) == .init(start: start, firstMissing: video.count - 1))
        #expect(try missing(Array(video.prefix(start))) == .init(start: start, firstMissing: start))
        #expect(try missing(Array(video.prefix(30_000))) == .init(start: start, firstMissing: start))
        // This file has one more box before the index.
        let free = [UInt8](video.prefix(start)) + [0, 0, 0, 8] + Array("free".utf8)
        #expect(try missing(free) == .init(start: start, firstMissing: start + 8))
        #expect(try missing(free + video.suffix(3_534)) == nil)
        // A box of six bytes is invalid.
        #expect(try missing(Array(video.prefix(start)) + [0, 0, 0, 6] + [UInt8](repeating: 0x61, count: 20)) == nil)
    }

    @Test(arguments: ["", "/header/-ETag", "/header/ETag:W%2F%22weak%22", "/header/-ETag/header/-Last-Modified"])
    func `an index is requested only for the same version of the file, and is combined with the first bytes`(
        _ head: String
    )
        async throws
    {
        let path = "\(head)/stall/after/30000/\(Self.video)"
        try await withArriving(path) { fixture, media, files in
            #expect(await parts(of: media, fixture, files).allSatisfy { $0 != nil })
            let hasValidator = ["", "/header/-ETag"].contains(head)
            #expect(fixture.origin.counts.requestsConditional == (hasValidator ? 1 : 0))
        }
    }

    @Test(arguments: [
        "/changed/1", "/header/-ETag/header/-Last-Modified/changed/1/to/video-1080p.mp4",
        "/header/ETag:W%2F%22weak%22/changed/1/to/video-1080p.mp4",
    ])
    func `an index of a changed file is not combined with the first bytes`(_ faults: String) async throws {
        try await withArriving("\(faults)/stall/after/30000/\(Self.video)") { fixture, media, files in
            #expect(await parts(of: media, fixture, files).allSatisfy { $0 == nil })
            #expect(fixture.origin.counts.requests == 2)
        }
    }
}

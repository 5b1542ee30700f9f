import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching
@testable import StoreTools

/// Tests that a purge removes media from the HTTP cache and from the containers.
@Suite struct PurgeTests {
    private static let photo = "https://a.example/photo.jpg"

    /// Stores a response with a file that was made from the response, and optionally a message that shows the file.
    private func put(
        _ bench: PurgeBench, _ text: String, from url: String, id: String, shownFrom shown: String? = nil
    ) async throws -> StoredAsset {
        try await bench.fixture.store("source of \(text)", id, for: url, in: bench.cache)
        let asset = try await bench.store.store(
            [try bench.rendition(text)], in: .default, until: .distantFuture)[0]
        let media = StoredRenditions(assets: [asset], sourceType: "image/jpeg", sourceByteCount: 7)
        await bench.store.remember(media, as: RenditionKey(identity: id, recipe: PurgeBench.recipe), in: .default)
        if let shown {
            try await bench.store.record(
                MessageRecord(
                    id: try #require(RequestID("m-\(id)")), providerID: nil, profile: "ios",
                    attachments: [
                        .init(
                            identifier: "media-1", shown: asset, url: shown, sourceType: "image/jpeg",
                            sourceByteCount: 7, recipe: PurgeBench.recipe)
                    ]), in: .default)
        }
        return asset
    }

    @Test func `a purge of a URL removes its response and its leased file`() async throws {
        try await PurgeBench.with { bench in
            let gone = try await put(bench, "gone", from: Self.photo, id: "1", shownFrom: Self.photo)
            let other = try await put(bench, "other", from: "https://a.example/photo.jpg2", id: "2")
            let report = try await bench.purge(.url(Self.photo))
            #expect(report == PurgeReport(responses: 1, files: 1, bytes: 4))
            #expect(!bench.exists(gone))
            #expect(bench.exists(other))
            #expect(await bench.cache.ids(for: Self.photo).isEmpty)
            #expect(await bench.cache.ids(for: "https://a.example/photo.jpg2") == ["2"])
            #expect(bench.fixture.bodies().count == 1)
            let key = RenditionKey(identity: "1", recipe: PurgeBench.recipe)
            #expect(await bench.store.find([.made(key)], in: .default, until: .distantPast) == nil)
        }
    }

    @Test func `a purge removes a response that is not written to the index yet`() async throws {
        try await PurgeBench.with { bench in
            try await bench.fixture.store("new", "1", for: Self.photo, in: bench.cache)
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 1))
            #expect(await bench.cache.ids(for: Self.photo).isEmpty)
            #expect(bench.fixture.bodies().isEmpty)
        }
    }

    @Test func `a purge of a URL removes the responses of all credentials`() async throws {
        try await PurgeBench.with { bench in
            _ = try await put(bench, "open", from: Self.photo, id: "1")
            _ = try await put(bench, "secret", from: Self.photo + " ab.cd", id: "2")
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 2, files: 2, bytes: 10))
        }
    }

    @Test(arguments: [
        (PurgeTarget.host("a.example"), ["1", "2", "3"]), (.prefix("https://a.example/p"), ["1"]),
        (.prefix("https://a.example/"), ["1"]), (.host("example"), []),
    ])
    func `a purge of a host covers all schemes and ports, and a purge of a prefix covers longer URLs`(
        _ target: PurgeTarget, _ gone: [String]
    ) async throws {
        try await PurgeBench.with { bench in
            let urls = [
                "1": Self.photo, "2": "http://a.example/", "3": "https://a.example:8443/x",
                "4": "https://a.example.org/", "5": "https://b.a.example/",
            ]
            for (id, url) in urls { _ = try await put(bench, "file \(id)", from: url, id: id) }
            let report = try await bench.purge(target)
            #expect(report.responses == gone.count)
            #expect(report.files == gone.count)
            for (id, url) in urls {
                #expect(await bench.cache.ids(for: url) == (gone.contains(id) ? [] : [id]))
            }
        }
    }

    @Test func `a purge keeps a file that another message shows from another URL`() async throws {
        try await PurgeBench.with { bench in
            let asset = try await put(bench, "same", from: Self.photo, id: "1", shownFrom: Self.photo)
            _ = try await put(bench, "same", from: "https://b.example/", id: "2", shownFrom: "https://b.example/")
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 1, sharedFiles: 1))
            #expect(bench.exists(asset))
            #expect(try await bench.purge(.host("b.example")) == PurgeReport(responses: 1, files: 1, bytes: 4))
            #expect(!bench.exists(asset))
        }
    }

    @Test func `a purge keeps a file that another stored response contains, even if no message shows it`() async throws
    {
        try await PurgeBench.with { bench in
            let asset = try await put(bench, "same", from: Self.photo, id: "1", shownFrom: Self.photo)
            _ = try await put(bench, "same", from: "https://b.example/", id: "2")
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 1, sharedFiles: 1))
            #expect(bench.exists(asset))
        }
    }

    @Test func `a purge of a URL also removes the file and the response of the target of its redirect`() async throws {
        try await PurgeBench.with { bench in
            let asset = try await put(bench, "far", from: "https://cdn.example/9", id: "1", shownFrom: Self.photo)
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 1, files: 1, bytes: 3))
            #expect(!bench.exists(asset))
            #expect(await bench.cache.ids(for: "https://cdn.example/9").isEmpty)
        }
    }

    @Test func `a purge releases the pin of a URL although another URL pins the same file`() async throws {
        try await PurgeBench.with { bench in
            let asset = try await put(bench, "same", from: Self.photo, id: "1")
            let media = StoredRenditions(assets: [asset], sourceType: "image/jpeg", sourceByteCount: 7)
            let keys = [Self.photo, "https://b.example/"].map { PinKey(url: $0, recipe: PurgeBench.recipe) }
            for key in keys { try await bench.store.pin(media, as: key, in: .default, until: .distantFuture) }
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 1, sharedFiles: 1))
            #expect(await bench.store.find([.pinned(keys[0])], in: .default, until: .distantPast) == nil)
            #expect(await bench.store.find([.pinned(keys[1])], in: .default, until: .distantPast) == media)
            #expect(try await bench.purge(.host("b.example")) == PurgeReport(responses: 0, files: 1, bytes: 4))
            #expect(!bench.exists(asset))
        }
    }

    @Test func `a response that was requested before a purge is not stored after the purge`() async throws {
        try await PurgeBench.with { bench in
            let (before, other) = (bench.cache.purgeMark, "https://a.example/other.jpg")
            _ = try await bench.purge(.url(Self.photo))
            for (id, url) in [("1", Self.photo), ("2", Self.photo + " ab.cd"), ("3", other)] {
                let response = ResponseCacheFixture.response(id, for: url, byteCount: 5)
                await bench.cache.insert(response, body: try bench.fixture.file("bytes"), since: before)
            }
            #expect(await bench.cache.ids(for: Self.photo).isEmpty)
            #expect(await bench.cache.ids(for: Self.photo + " ab.cd").isEmpty)
            #expect(await bench.cache.ids(for: other) == ["3"])
            #expect(bench.fixture.bodies().count == 1)
            await bench.cache.insert(
                ResponseCacheFixture.response("4", for: Self.photo, byteCount: 5),
                body: try bench.fixture.file("bytes"),
                since: bench.cache.purgeMark)
            #expect(await bench.cache.ids(for: Self.photo) == ["4"])
        }
    }

    @Test func `a file whose source was requested before a purge is not stored after the purge`() async throws {
        try await PurgeBench.with { bench in
            let provenance = MediaProvenance(urls: ["https://a.example/from", Self.photo], mark: bench.store.purgeMark)
            _ = try await bench.purge(.prefix("https://a.example/ph"))
            let refused = await #expect(throws: MediaFailure.self) {
                _ = try await bench.store.store(
                    [try bench.rendition("late")], in: .default, until: .distantFuture, from: provenance)
            }
            #expect(refused?.detail == "the media item was purged while it was fetched")
            #expect(try bench.fixture.directory.files().filter { $0.contains("/media/") }.isEmpty)
            let later = MediaProvenance(urls: provenance.urls, mark: bench.store.purgeMark)
            let asset = try await bench.store.store(
                [try bench.rendition("late")], in: .default, until: .distantFuture, from: later)[0]
            #expect(bench.exists(asset))
        }
    }

    @Test
    func `a file whose message is emitted after the purge is removed, and the message shows no media`() async throws {
        try await PurgeBench.with { bench in
            let provenance = MediaProvenance(urls: [Self.photo], mark: bench.store.purgeMark)
            let asset = try await bench.store.store(
                [try bench.rendition("early")], in: .default, until: .distantFuture, from: provenance)[0]
            #expect(try await bench.purge(.url(Self.photo)) == PurgeReport(responses: 0, files: 1, bytes: 5))
            #expect(!bench.exists(asset))
            let media = StoredRenditions(assets: [asset], sourceType: "image/jpeg", sourceByteCount: 7)
            let key = RenditionKey(identity: "1", recipe: PurgeBench.recipe)
            await bench.store.remember(media, as: key, in: .default)
            #expect(await bench.store.find([.made(key)], in: .default, until: .distantPast) == nil)
            let shown = MessageRecord.Attachment(
                identifier: "media-1", shown: asset, url: Self.photo, sourceType: "image/jpeg", sourceByteCount: 7,
                recipe: PurgeBench.recipe)
            try await bench.store.record(
                MessageRecord(id: try #require(RequestID("m")), providerID: "p", profile: "ios", attachments: [shown]),
                in: .default)
            let kept = PrefetchKey(providerID: "p", url: Self.photo, recipe: PurgeBench.recipe)
            #expect(await bench.store.find([.prefetched(kept)], in: .default, until: .distantPast) == nil)
            #expect(try StoreInspection(root: bench.fixture.directory.path).run().damages.isEmpty)
        }
    }

    @Test func `a purge compares the URL of a message in the form in which the URL is requested`() async throws {
        try await PurgeBench.with { bench in
            let asset = try await put(
                bench, "x", from: "https://elsewhere.example/", id: "1", shownFrom: "HTTPS://A.example/photo.jpg#1")
            #expect(try await bench.purge(.url(Self.photo)).files == 1)
            #expect(!bench.exists(asset))
        }
    }
}

extension PurgeReport {
    fileprivate init(responses: Int, files: Int = 0, bytes: Int = 0, sharedFiles: Int = 0) {
        self.init()
        (self.responses, self.files, self.bytes, self.sharedFiles) = (responses, files, bytes, sharedFiles)
    }
}

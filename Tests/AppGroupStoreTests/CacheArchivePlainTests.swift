import Base
import Foundation
import HTTPTypes
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching
@testable import StoreTools

/// Tests of `cache export` and `cache import`: an import restores the media of one root in another root, and refuses an
/// invalid archive.
@Suite struct CacheArchivePlainTests {
    private static let key = "https://a.example/1"

    @Test func `an imported response has its bytes and its renditions`() async throws {
        let archive = try await Self.archive()
        try await PurgeBench.with { bench in
            let report = try await Self.importing(archive, into: bench)
            #expect(report.responses == 2)
            #expect(report.renditions == 1)
            let stored = try #require(await bench.cache.responses(for: Self.key).first)
            #expect(stored == ResponseCacheFixture.response("r-1", byteCount: 5).rounded)
            #expect(await bench.cache.text(of: stored) == "bytes")
            let media = try #require(
                await bench.store.find(
                    [.made(RenditionKey(identity: "r-1", recipe: PurgeBench.recipe))], in: .default, until: .distantPast
                ))
            #expect(media.assets.map(\.info.byteCount) == [7])
            #expect(media.assets.allSatisfy(bench.exists))
        }
    }

    private static let pinned = PinKey(url: "https://a.example/ä.jpg", recipe: PurgeBench.recipe)

    private static let streams = StreamFacts(videoCodec: "h264", frameRate: 23.976)

    /// Returns an archive that contains one pin and no other record.
    private static func archive(pinnedUntil date: Date) async throws -> [UInt8] {
        let result = Guarded<[UInt8]>([])
        try await PurgeBench.with { bench in
            var assets = try await bench.store.store(
                [try bench.rendition("picture")], in: .default, until: .distantPast)
            assets[0].info.streams = streams
            let media = StoredRenditions(
                assets: assets, sourceType: "image/jpeg", sourceByteCount: 5, source: SourceFacts(streams: streams))
            try await bench.store.pin(media, as: pinned, in: .default, until: date)
            let bytes = try await export(bench)
            result.withLock { $0 = bytes }
        }
        return result.withLock { $0 }
    }

    @Test func `an import restores a pin unchanged if the pin has no response`() async throws {
        let end = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 86_400).rounded(.up))
        let archive = try await Self.archive(pinnedUntil: end)
        try await PurgeBench.with { bench in
            let report = try await Self.importing(archive, into: bench)
            #expect(report.pins == 1)
            let media = try #require(await bench.store.find([.pinned(Self.pinned)], in: .default, until: .now))
            #expect(media.assets.map(\.info.byteCount) == [7])
            #expect(media.source == SourceFacts(streams: Self.streams))
            #expect(media.assets.allSatisfy(bench.exists))
            let index = try #require(
                try ContainerIndex(readingOnly: "\(bench.fixture.directory.path)/group.default/index.sqlite"))
            #expect(try index.pinned(Self.pinned, at: .now)?.until == end)
        }
    }

    @Test func `an import skips an expired pin, and shortens a pin with a date in the far future`() async throws {
        let soon = Date.now.addingTimeInterval(2)
        let ended = try await Self.archive(pinnedUntil: soon)
        let far = try await Self.archive(pinnedUntil: Date(timeIntervalSince1970: 200_000_000_000))
        try await PurgeBench.with { bench in
            try await wait(for: "the end of the pin") { Date.now > soon.addingTimeInterval(1) }
            #expect(try await Self.importing(ended, into: bench).expiredPins == 1)
            #expect(await bench.store.find([.pinned(Self.pinned)], in: .default, until: .now) == nil)
            #expect(try await Self.importing(far, into: bench).pins == 1)
            let index = try #require(
                try ContainerIndex(readingOnly: "\(bench.fixture.directory.path)/group.default/index.sqlite"))
            let until = try #require(try index.pinned(Self.pinned, at: .now)?.until)
            #expect(until < Date.now.addingTimeInterval(CacheImport.maxPin + 60))
        }
    }

    @Test func `an import reports the number of pins that exceed the quota`() async throws {
        let archive = try await Self.archive(pinnedUntil: .now.addingTimeInterval(86_400))
        try await PurgeBench.with { bench in
            let report = try await Self.importing(archive, into: bench, pinned: 6)
            #expect((report.pins, report.refusedPins) == (0, 1))
            #expect(await bench.store.find([.pinned(Self.pinned)], in: .default, until: .now) == nil)
        }
    }

    @Test func `an import reports pins with removed files separately from pins that exceed the quota`() async throws {
        try await PurgeBench.with { bench in
            let assets = try await bench.store.store(
                [try bench.rendition("picture")], in: .default, until: .distantPast)
            let media = StoredRenditions(assets: assets, sourceType: "image/jpeg", sourceByteCount: 5)
            await bench.store.remember(
                media, as: RenditionKey(identity: "r-1", recipe: PurgeBench.recipe), in: .default)
            bench.store.change(pinQuota: 6)
            #expect(
                try await bench.store.tryPin(media, as: Self.pinned, in: .default, until: .distantFuture) == .noSpace)
            bench.store.change(pinQuota: 7)
            // Another process purges the response of the file.
            try await bench.fixture.store("bytes", "r-1", in: bench.cache)
            _ = try await bench.purge(.url(Self.key))
            #expect(!assets.contains(where: bench.exists))
            #expect(
                try await bench.store.tryPin(media, as: Self.pinned, in: .default, until: .distantFuture) == .fileGone)
        }
    }

    @Test func `a response that was received in the future is not fresh after its import`() async throws {
        var response = ResponseCacheFixture.response("r-1", byteCount: 0)
        response.requestTime = Date(timeIntervalSinceNow: 86_400)
        response.responseTime = response.requestTime
        let archive = try Self.written {
            try $0.write(ArchiveRecord.response(.init(response: response, body: nil)).bytes)
        }
        try await PurgeBench.with { bench in
            #expect(try await Self.importing(archive, into: bench).responses == 1)
            let stored = try #require(await bench.cache.responses(for: Self.key).first)
            // The response is older than the longest lifetime of RFC 9111, which is 2^31 s.
            #expect(stored.responseTime.timeIntervalSinceNow < -0x1p31)
            #expect(stored.requestTime.timeIntervalSinceNow < -0x1p31)
        }
    }

    @Test func `the memory of an import does not grow with the number of records`() async throws {
        let count = 5_000
        let start = Self.privateBytes
        let numbers = Guarded(0)
        let most = Guarded(0)
        try await PurgeBench.with { bench in
            let report = try await CacheImport(
                root: bench.fixture.directory.path, limits: .init(blob: 1 << 20, total: 1 << 40),
                isType: { _, _ in true }
            ).run {
                let number = numbers.withLock { number in
                    defer { number += 1 }
                    return number
                }
                if number.isMultiple(of: 100) { most.withLock { $0 = max($0, Self.privateBytes - start) } }
                if number > count { return [] }
                if number == count { return [UInt8](repeating: 0, count: 1_024) }
                return Self.entry(.response(.init(response: Self.large(number), body: nil)))
            }
            #expect(report.responses == count)
        }
        most.withLock { $0 = max($0, Self.privateBytes - start) }
        #expect(most.withLock(\.self) < 32 << 20, "\(count) records of 14 kB")
    }

    /// Returns a response with headers of 10 kB.
    private static func large(_ number: Int) -> StoredResponse {
        var response = ResponseCacheFixture.response("r-\(number)", for: "https://a.example/\(number)", byteCount: 0)
        var fields = HTTPFields()
        for _ in 0..<10 {
            fields.append(HTTPField(name: .setCookie, value: String(repeating: "p", count: 1_000)))
        }
        response.head = ResponseHead(status: 200, fields: fields)
        return response
    }

    private static var privateBytes: Int { (ProcessFacts(of: getpid())?.kilobytes("RssAnon") ?? 0) << 10 }

    /// Returns a record as an entry of an archive.
    private static func entry(_ record: ArchiveRecord) -> [UInt8] {
        let bytes = record.bytes
        let entry = ArchiveEntry(directory: .records, digest: FileDigest.of(bytes), byteCount: bytes.count)
        return entry.header + bytes + [UInt8](repeating: 0, count: entry.paddingCount)
    }

    @Test func `a second import of an archive stores no response and no rendition`() async throws {
        let archive = try await Self.archive()
        try await PurgeBench.with { bench in
            _ = try await Self.importing(archive, into: bench)
            let report = try await Self.importing(archive, into: bench)
            #expect(report.present == 2)
            #expect((report.responses, report.renditions) == (0, 0))
        }
    }

    @Test func `two exports of the same root are equal`() async throws {
        try await PurgeBench.with { bench in
            try await Self.fill(bench)
            #expect(try await Self.export(bench) == Self.export(bench))
        }
    }

    @Test func `an import refuses an archive that is truncated at any length`() async throws {
        let archive = try await Self.archive()
        // The archive is cut at each block, and at some lengths within a block.
        for count in stride(from: 0, to: archive.count, by: 256) {
            try await Self.expectRefusal(Array(archive.prefix(count)), .truncated)
        }
    }

    @Test func `an import refuses an archive with any changed byte`() async throws {
        let archive = try await Self.archive()
        for offset in stride(from: 0, to: archive.count, by: 97) {
            var changed = archive
            changed[offset] ^= 0x21
            try await Self.expectRefusal(changed)
        }
    }

    @Test(arguments: [
        "../../etc/cron.d/evil", "/etc/passwd", "blobs/../../x", "blobs/ABCDEF",
        "blobs/" + String(repeating: "a", count: 63),
        "other/" + String(repeating: "a", count: 64), "blobs/" + String(repeating: "a", count: 64) + "/x",
        "blobs/" + String(repeating: "A", count: 64),
    ])
    func `an import refuses an entry whose name is not a digest`(_ name: String) async throws {
        var header = ArchiveEntry(directory: .blobs, digest: String(repeating: "0", count: 64), byteCount: 0).header
        header.replaceSubrange(0..<100, with: Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count))
        try await Self.expectRefusal(Self.sealed(header), .notOurs(offset: 0))
    }

    @Test(arguments: Array("123456LKxgS\u{0}"))
    func `an import refuses an entry that is not a regular file`(_ type: Character) async throws {
        var header = ArchiveEntry(directory: .blobs, digest: FileDigest.of([]), byteCount: 0).header
        header[156] = type.asciiValue ?? 0
        try await Self.expectRefusal(Self.sealed(header), .notOurs(offset: 0))
    }

    @Test func `an import refuses an entry header with a link target, an owner or a name prefix`() async throws {
        for offset in [157, 265, 297, 345, 108, 100] {
            var header = ArchiveEntry(directory: .blobs, digest: FileDigest.of([]), byteCount: 0).header
            header[offset] = UInt8(ascii: "7")
            try await Self.expectRefusal(Self.sealed(header), .notOurs(offset: 0))
        }
    }

    @Test func `an import refuses bytes after the end of the archive`() async throws {
        let archive = try await Self.archive()
        try await Self.expectRefusal(archive + [0, 0, 1], .bytesAfterEnd(offset: archive.count))
    }

    @Test func `an import refuses entries beyond the size limits before it reads their bytes`() async throws {
        let huge = ArchiveEntry(directory: .blobs, digest: FileDigest.of([]), byteCount: 1 << 32)
        try await Self.expectRefusal(huge.header, .tooLarge(name: huge.name, limit: 1 << 20))
        let record = ArchiveEntry(directory: .records, digest: FileDigest.of([]), byteCount: 1 << 21)
        try await Self.expectRefusal(record.header, .tooLarge(name: record.name, limit: ArchiveRecord.maxBytes))
    }

    @Test(arguments: [
        "{}", "[]", "x", #"{"type": "message"}"#,
        #"{"type": "renditions", "group": "../x", "identity": "i", "recipe": "r", "sourceType": "image/jpeg", "sourceBytes": 1, "files": []}"#,
    ])
    func `an import refuses a record that is not valid`(_ text: String) async throws {
        let bytes = Array(text.utf8)
        let entry = ArchiveEntry(directory: .records, digest: FileDigest.of(bytes), byteCount: bytes.count)
        let archive = entry.header + bytes + [UInt8](repeating: 0, count: entry.paddingCount + 1_024)
        let error = try await Self.refusal(of: archive)
        guard case .record = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an import refuses a blob without a record, and a record whose blob is missing`() async throws {
        let directory = try TemporaryDirectory()
        try FileSystem.write(Array("blob".utf8), toFile: directory.path + "/blob")
        let archive = try Self.written { writer in
            let file = try FileSystem.openForReading(directory.path + "/blob")
            try writer.write(file, digest: FileDigest.of(Array("blob".utf8)), byteCount: 4)
        }
        try await Self.expectRefusal(archive, .unused(blob: FileDigest.of(Array("blob".utf8))))
        let response = ArchiveRecord.Response(
            response: ResponseCacheFixture.response("r-1", byteCount: 5), body: FileDigest.of(Array("bytes".utf8)))
        let error = try await Self.refusal(
            of: try Self.written { try $0.write(ArchiveRecord.response(response).bytes) })
        guard case .missing = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an import refuses a media file whose type differs from the type in its record`() async throws {
        let archive = try await Self.archive()
        let error = try await Self.refusal(of: archive, isType: { _, _ in false })
        guard case .record(_, let problem) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.contains("image/jpeg"))
    }

    @Test(arguments: [nil, "damaged: 81 % of the rows"])
    func `the damage text of a rendition or pin does not change when it is archived`(_ damage: String?) throws {
        let info = RenditionInfo(kind: .attachment, type: .jpeg, byteCount: 7, width: 1, height: 1)
        let digest = FileDigest.of([])
        let asset = StoredAsset(info: info, sha256: digest, path: AppGroupContainer.path(of: digest, .jpeg))
        let media = StoredRenditions(assets: [asset], sourceType: "image/jpeg", sourceByteCount: 5, damage: damage)
        let renditions = ArchiveRecord.Renditions(
            group: .default, key: RenditionKey(identity: "r-1", recipe: PurgeBench.recipe), media: media)
        let pin = ArchiveRecord.Pin(
            group: .default, key: Self.pinned, keepUntil: Date(timeIntervalSince1970: 1), media: media)
        for record in [ArchiveRecord.renditions(renditions), .pin(pin)] {
            #expect(try ArchiveRecord(record.bytes) == record)
            #expect(String(decoding: record.bytes, as: UTF8.self).contains("damage") == (damage != nil))
        }
    }

    @Test func `a response record does not change when it is written and read`() throws {
        let response = ArchiveRecord.Response(
            response: ResponseCacheFixture.response("r-1", for: "https://a.example/ ab.0f", byteCount: 5).rounded,
            body: FileDigest.of([]))
        #expect(try ArchiveRecord(ArchiveRecord.response(response).bytes) == .response(response))
    }

    // MARK: Building of archives

    private static func fill(_ bench: PurgeBench) async throws {
        try await bench.fixture.store("bytes", "r-1", in: bench.cache)
        await bench.cache.insert(
            ResponseCacheFixture.response("r-2", for: "https://a.example/404", byteCount: 0), body: nil, since: 0)
        let assets = try await bench.store.store([try bench.rendition("picture")], in: .default, until: .distantPast)
        await bench.store.remember(
            StoredRenditions(assets: assets, sourceType: "image/jpeg", sourceByteCount: 5),
            as: RenditionKey(identity: "r-1", recipe: PurgeBench.recipe), in: .default)
        _ = await bench.cache.statistics()
    }

    private static func archive() async throws -> [UInt8] {
        let result = Guarded<[UInt8]>([])
        try await PurgeBench.with { bench in
            try await fill(bench)
            let bytes = try await export(bench)
            result.withLock { $0 = bytes }
        }
        return result.withLock { $0 }
    }

    private static func export(_ bench: PurgeBench) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let file = try AnonymousFile.create(in: directory.path)
        _ = try CacheExport(root: bench.fixture.directory.path).write(to: file.descriptor)
        return try FileSystem.bytes(of: file, at: 0, count: try FileSystem.size(of: file))
    }

    private static func written(_ body: (inout ArchiveWriter) throws -> Void) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let file = try AnonymousFile.create(in: directory.path)
        var writer = ArchiveWriter(descriptor: file.descriptor)
        try body(&writer)
        try writer.finish()
        return try FileSystem.bytes(of: file, at: 0, count: try FileSystem.size(of: file))
    }

    /// Returns a header with its checksum, and the end of an archive.
    private static func sealed(_ header: [UInt8]) -> [UInt8] {
        var header = header
        header.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        header.replaceSubrange(
            148..<156, with: Array((String(repeating: "0", count: 6 - sum.count) + sum + "\u{0} ").utf8))
        return header + [UInt8](repeating: 0, count: 1_024)
    }

    private static func importing(
        _ archive: [UInt8], into bench: PurgeBench, pinned: Int = 1 << 20,
        isType: @escaping @Sendable (MediaFormat, [UInt8]) -> Bool = { _, _ in true }
    ) async throws -> CacheImport.Report {
        let pieces = Guarded(archive[...])
        return try await CacheImport(
            root: bench.fixture.directory.path, limits: .init(blob: 1 << 20, total: 1 << 40, pinned: pinned),
            isType: isType
        ).run {
            pieces.withLock { rest in
                let piece = Array(rest.prefix(700))
                rest = rest.dropFirst(700)
                return piece
            }
        }
    }

    /// Imports an archive into an empty root, and checks that a refused archive leaves no file.
    private static func refusal(
        of archive: [UInt8], isType: @escaping @Sendable (MediaFormat, [UInt8]) -> Bool = { _, _ in true }
    ) async throws -> ArchiveError? {
        let result = Guarded<ArchiveError?>(nil)
        try await PurgeBench.with { bench in
            do { _ = try await importing(archive, into: bench, isType: isType) } catch let error as ArchiveError {
                result.withLock { $0 = error }
            }
            #expect(try bench.fixture.directory.files() == [".import/lock"])
        }
        return result.withLock { $0 }
    }

    private static func expectRefusal(_ archive: [UInt8], _ expected: ArchiveError? = nil) async throws {
        let error = try await refusal(of: archive)
        if let expected { #expect(error == expected) } else { #expect(error != nil) }
    }
}

extension StoredResponse {
    /// The response with times in whole microseconds, which is the resolution of archives.
    fileprivate var rounded: StoredResponse {
        var rounded = self
        func microseconds(_ date: Date) -> Date {
            Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1e6).rounded() / 1e6)
        }
        rounded.requestTime = microseconds(requestTime)
        rounded.responseTime = microseconds(responseTime)
        return rounded
    }
}

import Foundation
import GRDB
import HTTPTypes
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

/// Tests that damage by a power cut, a full disk or an operator causes no error, and that the cache serves no damaged
/// bytes.
@Suite(.timeLimit(.minutes(1))) struct ResponseCacheDamageTests {
    private let fixture: ResponseCacheFixture
    private let key = "https://a.example/1"

    init() throws { fixture = try ResponseCacheFixture() }

    private func store(_ text: String) async throws -> StoredResponse {
        try await fixture.with { try await fixture.store(text, "one", in: $0) }
    }

    private func bodyPath() throws -> String {
        "\(fixture.directory.path)/\(try #require(fixture.bodies().first))"
    }

    enum Damage: CaseIterable { case removed, shortened, lengthened, made, directoryRemoved }

    @Test(arguments: Damage.allCases)
    func `a response with a damaged body is a miss, and is removed`(damage: Damage) async throws {
        let stored = try await store("bytes")
        let path = try bodyPath()
        switch damage {
        case .removed: try FileSystem.remove(path)
        case .shortened: try FileSystem.write([1, 2], toFile: path)
        case .lengthened: try FileSystem.write([1, 2, 3, 4, 5, 6], toFile: path)
        case .made:
            try FileSystem.remove(path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
        case .directoryRemoved: try FileManager.default.removeItem(atPath: fixture.cacheDirectory + "/bodies")
        }
        try await fixture.with { cache in
            #expect(await cache.ids() == ["one"])
            #expect(await cache.body(of: stored) == nil)
            if damage != .made {
                #expect(await cache.ids() == [])
                #expect(await cache.statistics().entries == 0)
                #expect(fixture.bodies().isEmpty)
            }
            let again = try await fixture.store("again", "two", in: cache)
            #expect(await cache.text(of: again) == "again")
        }
    }

    @Test func `a body from an earlier boot of the machine is verified once, and is a hit if its bytes are intact`()
        async throws
    {
        let stored = try await store("bytes")
        try await fixture.write("UPDATE response SET boot = 'earlier'")
        try await fixture.with { cache in
            #expect(await cache.ids() == ["one"])
            #expect(await cache.text(of: stored) == "bytes")
            #expect(await cache.ids() == ["one"])
        }
        // The cache does not compare the bytes again in this boot, so it accepts a file of the same length.
        try FileSystem.write(Array("BYTES".utf8), toFile: try bodyPath())
        try await fixture.with { #expect(await $0.text(of: stored) == "BYTES") }
    }

    @Test func `bytes that a power cut has lost are never served, even if the length is right`() async throws {
        let text = String(repeating: "x", count: 600_000)
        let stored = try await store(text)
        try await fixture.write("UPDATE response SET boot = 'earlier'")
        var torn = Array(text.utf8)
        torn.replaceSubrange(500_000..<504_096, with: repeatElement(0, count: 4_096))
        try FileSystem.write(torn, toFile: try bodyPath())
        try await fixture.with { cache in
            #expect(await cache.body(of: stored) == nil)
            #expect(await cache.ids() == [])
        }
        #expect(fixture.bodies().isEmpty)
    }

    @Test(arguments: ["no database at all, but more than a page's header of text, as it were", ""])
    func `an invalid index is replaced, and the files that the index listed are removed`(text: String) async throws {
        _ = try await store("bytes")
        try FileSystem.write(Array(text.utf8), toFile: fixture.cacheDirectory + "/index.sqlite")
        try await fixture.with { cache in
            #expect(await cache.ids() == [])
            let stored = try await fixture.store("new", "two", for: "key", in: cache)
            #expect(await cache.text(of: stored) == "new")
            // Other work may run between the directories of the sweep.
            if !text.isEmpty { try await wait(for: "the sweep") { fixture.bodies().count <= 1 } }
            #expect(await cache.text(of: stored) == "new")
        }
        #expect(fixture.warnings.count == (text.isEmpty ? 0 : 1))
    }

    @Test func `the cache loses only its stored responses if index pages are damaged during its run`() async throws {
        _ = try await fixture.with { cache in
            for number in 0..<400 { try await fixture.store("x", "\(number)", for: "key \(number)", in: cache) }
        }
        let path = fixture.cacheDirectory + "/index.sqlite"
        var bytes = try FileSystem.contents(of: path)
        for offset in stride(from: 2 * 4_096, to: bytes.count, by: 1) { bytes[offset] = 0x5A }
        try FileSystem.write(bytes, toFile: path)
        try await fixture.with { cache in
            #expect(await cache.ids(for: "key 7") == [])
            try await fixture.store("new", "new", in: cache)
            #expect(await cache.ids() == ["new"])
            #expect(await cache.statistics().entries == 1)
        }
        #expect(fixture.warnings.count == 1)
        #expect(fixture.warnings.first?.contains(path) == true)
    }

    @Test func `an index of another version is replaced`() async throws {
        _ = try await store("bytes")
        try await fixture.write("PRAGMA user_version = 99")
        try await fixture.with { #expect(await $0.ids() == []) }
        try await fixture.with { cache in
            try await fixture.store("bytes", "one", in: cache)
            #expect(await cache.ids() == ["one"])
        }
    }

    /// SQLite accepts any value in a column that is not strict, so an operator or a broken disk may have changed the
    /// values.
    @Test(
        arguments: [
            "storedFrom = -1", "bodyBytes = -1", "storedFrom = 9223372036854775807",
            "status = 'x'", "fields = 1.5", "requestFields = NULL", "requestTime = 'x'", "method = x'00FF'",
            "id = NULL", "completeLength = 'x'",
            "completeLength = -5", "completeLength = 4", "status = -1", "status = 600", "requestTime = 9e999",
            "responseTime = -9e999", "responseTime = 1e300",
        ])
    func `a row with impossible values is ignored, and causes no error`(_ change: String) async throws {
        _ = try await store("bytes")
        try await damage("UPDATE response SET \(change)")
        try await fixture.with { cache in
            #expect(await cache.ids() == [])
        }
    }

    @Test(arguments: [
        "UPDATE response SET id = NULL", "UPDATE response SET bytes = 'x'",
    ])
    func `an index with an id or a size of a wrong type is replaced as damaged`(_ sql: String) async throws {
        _ = try await store("bytes")
        try await damage(sql)
        try await fixture.with(limits: ResponseCacheLimits(entries: 1)) { cache in
            #expect(await cache.ids(for: "another") == [])
            try await fixture.store("new", "new", for: "another", in: cache)
            #expect(await cache.statistics().entries == 1)
            #expect(await cache.ids(for: "another") == ["new"])
        }
        #expect(fixture.warnings.count == 1)
    }

    /// Makes the table accept any value, and changes a row.
    private func damage(_ sql: String) async throws {
        try await fixture.write(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT', ')'), ' NOT NULL', '') WHERE type = 'table';
            PRAGMA writable_schema = RESET;
            \(sql);
            """)
    }

    @Test func `the cache retries a failed write to its index even without another change`() async throws {
        _ = try await store("bytes")
        try await fixture.with { cache in
            try await fixture.write(
                "CREATE TRIGGER no BEFORE DELETE ON response BEGIN SELECT raise(ABORT, 'no'); END")
            await cache.removeAll(for: key)
            try await wait(for: "the refusal") { fixture.warnings.count == 1 }
            #expect(await cache.isRetryAhead)
            try await fixture.write("DROP TRIGGER no")
            try await wait(for: "the change") { await cache.pending.isEmpty }
            #expect(fixture.bodies().isEmpty)
        }
    }

    /// The header fields have unusual forms, and come from a request, a constructed response and an unchanged response.
    @Test func `stored header fields do not change when they are read`() async throws {
        var response = ResponseCacheFixture.response("one", byteCount: 5)
        let lines =
            "Content-Type: image/png\r\nX-Odd:  a\u{E9} b \r\nSet-Cookie: a=1\nset-cookie: b=2\r\n folded\r\nno name\r\n"
        response.head = ResponseHead(status: 203, lines: FieldLines(Array(lines.utf8)))
        response.requestFields = [.accept: "image/*", .acceptLanguage: "de, \u{E9}"]
        response.requestTime = Date(timeIntervalSince1970: 1_800_000_000.123_456_7)
        response.responseTime = Date(timeIntervalSince1970: 1_800_000_001.987_654_3)
        response.storedBytes = 7..<12
        response.completeLength = nil
        let (written, body) = (response, try fixture.file("bytes"))
        try await fixture.with { await $0.insert(written, body: body, since: 0) }
        try await fixture.with { cache in
            #expect(await cache.responses(for: key) == [written])
            #expect(await cache.text(of: written) == "bytes")
        }
    }

    @Test func `a cache on a full disk stores nothing, reports the full disk once, and removes nothing`() async throws {
        try await fixture.with { cache in
            let kept = try await fixture.store("kept", "kept", in: cache)
            #expect(await cache.statistics().entries == 1)
            try await cache.limitIndex(toMorePages: 0)
            for number in 0..<100 { try await fixture.store("x", "\(number)", for: "key \(number)", in: cache) }
            let statistics = await cache.statistics()
            #expect(statistics.refused > 50)
            #expect(fixture.bodies().count == statistics.entries)
            #expect(fixture.warnings.count == 1)
            try await cache.limitIndex(toMorePages: 1_000)
            #expect(await cache.text(of: kept) == "kept")
            let late = try await fixture.store("late", "late", for: "late", in: cache)
            #expect(await cache.responses(for: "late") == [late])
            #expect(await cache.statistics().entries == statistics.entries + 1)
        }
    }

    @Test func `a response that cannot be removed from the index is not served`() async throws {
        let stored = try await store("bytes")
        try await fixture.with { cache in
            #expect(await cache.ids() == ["one"])
            try await fixture.write(
                "CREATE TRIGGER no BEFORE DELETE ON response BEGIN SELECT raise(ABORT, 'no'); END")
            await cache.removeAll(for: key)
            _ = await cache.statistics()
            #expect(await cache.ids() == [])
            #expect(await cache.body(of: stored) == nil)
            try await fixture.write("DROP TRIGGER no")
            #expect(await cache.statistics().entries == 0)
            try await fixture.store("again", "two", in: cache)
            #expect(await cache.ids() == ["two"])
        }
        #expect(fixture.warnings.count == 1)
    }

    @Test func `a cache whose directory cannot be created stores nothing, and reports the error once`() async throws {
        try FileSystem.write([], toFile: fixture.cacheDirectory)
        try await fixture.with { cache in
            for number in 0..<3 {
                let stored = try await fixture.store("x", "\(number)", in: cache)
                #expect(await cache.ids() == [])
                #expect(await cache.body(of: stored) == nil)
            }
            await cache.remove(["0"])
            await cache.clear()
            #expect(await cache.statistics().entries == 0)
        }
        #expect(fixture.warnings.count == 2)
    }
}

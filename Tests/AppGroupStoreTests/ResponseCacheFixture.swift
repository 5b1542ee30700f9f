import Base
import Foundation
import GRDB
import HTTPTypes
import LinuxIO
import NotificationModel
import TestSupport

@testable import AppGroupStore
@testable import HTTPCaching

/// A root directory, with one cache or several concurrent caches on it.
final class ResponseCacheFixture: Sendable {
    let directory: TemporaryDirectory
    private let reported = Guarded<[String]>([])

    var warnings: [String] { reported.withLock { $0 } }
    var cacheDirectory: String { directory.path + "/.cache" }

    init() throws { directory = try TemporaryDirectory() }

    /// Opens a cache for the time of a body.
    ///
    /// - Parameter memoryAge: By default an hour, so that the cache never notices changes of other processes.
    func with<Result>(
        limits: ResponseCacheLimits = ResponseCacheLimits(), memoryAge: Duration = .seconds(3_600),
        _ body: (ResponseCache) async throws -> Result
    ) async throws -> Result {
        let cache = try ResponseCache(root: directory.path, limits: limits, memoryAge: memoryAge) { [self] sentence in
            reported.withLock { $0.append(sentence) }
        }
        do {
            let result = try await body(cache)
            await cache.shutdown()
            return result
        } catch {
            await cache.shutdown()
            throw error
        }
    }

    /// Returns the files of bodies, relative to the root.
    func bodies() -> [String] { ((try? directory.files()) ?? []).filter { $0.hasPrefix(".cache/bodies/") } }

    /// Returns a nameless file with the bytes of a text.
    func file(_ text: String, in directory: String? = nil) throws -> MediaFile {
        let file = try AnonymousFile.create(in: directory ?? self.directory.path)
        try FileSystem.write(Array(text.utf8)[...], to: file.descriptor)
        return file
    }

    /// Stores the bytes of a text.
    @discardableResult
    func store(
        _ text: String, _ id: String, for key: String = "https://a.example/1", at second: Double = 0,
        in cache: ResponseCache
    ) async throws -> StoredResponse {
        let response = Self.response(id, for: key, byteCount: text.utf8.count, at: second)
        await cache.insert(response, body: try file(text), since: 0)
        return response
    }

    /// Returns a response to a GET request.
    ///
    /// - Parameter second: The time of reception, in seconds after a date in 2023.
    static func response(
        _ id: String, for key: String = "https://a.example/1", byteCount: Int, at second: Double = 0
    ) -> StoredResponse {
        let date = Date(timeIntervalSince1970: 1_700_000_000.123_456 + second)
        var fields = HTTPFields()
        fields[.contentType] = "image/jpeg"
        fields.append(HTTPField(name: .setCookie, value: "a=1"))
        fields.append(HTTPField(name: .setCookie, value: "b=\u{E9}"))
        return StoredResponse(
            id: id, key: key, method: "GET", requestFields: [.accept: "image/*"],
            head: ResponseHead(status: 200, fields: fields), requestTime: date, responseTime: date,
            storedBytes: 0..<byteCount, completeLength: byteCount)
    }

    /// Changes the index over a connection that the caches do not know.
    func write(_ sql: String) async throws {
        let index = try DatabaseQueue(path: cacheDirectory + "/index.sqlite")
        try await index.write { try $0.execute(sql: sql) }
        try index.close()
    }
}

extension ResponseCache {
    /// Returns the bytes of a body as a text.
    func text(of response: StoredResponse) async -> String? {
        guard let file = await body(of: response), let count = try? FileSystem.size(of: file),
            let bytes = try? FileSystem.bytes(of: file, at: 0, count: count)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func ids(for key: String = "https://a.example/1") async -> [String] { await responses(for: key).map(\.id) }

    /// Simulates a disk with space for a number of further pages of the index.
    func limitIndex(toMorePages count: Int) throws {
        try index?.database.write { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + count)")
        }
    }
}

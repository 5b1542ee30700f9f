import AppGroupStore
package import Base
import FoundationEssentials
import HTTPCaching
import LinuxIO
package import NotificationModel

/// An import of an archive of `CacheExport` into a root. The archive is not trusted.
///
/// **Input.** A stream of bytes. The whole stream is read, checked and staged before any entry is stored. A truncated
/// or wrong archive changes nothing.
///
/// **Refused.** The import refuses each byte that `CacheExport` does not write, for example names that are not digests,
/// links, or other headers. It refuses bytes whose digest differs from their name. It refuses records that are
/// incomplete or have values out of range, and media files of another type than their record says. It refuses an
/// archive that is larger than the quotas.
///
/// **Trusted.** The import trusts that each body belongs to its URL, because only the origin could confirm this.
/// Responses that are already in the cache are not replaced.
package struct CacheImport: Sendable {
    package struct Limits: Sendable {
        /// The maximum size of a response's body and of a media file, in bytes.
        package var blob: Int
        /// The maximum size of all entries together, in bytes.
        package var total: Int
        /// The maximum number of records in the archive.
        package var records = 500_000
        /// The maximum number of bytes that are pinned in the root after the import.
        package var pinned: Int
        /// The limits of the cache that stores the responses.
        package var cache: ResponseCacheLimits

        package init(
            blob: Int = 1 << 30, total: Int, pinned: Int = ContainerLimits().quota,
            cache: ResponseCacheLimits = ResponseCacheLimits()
        ) {
            self.blob = blob
            self.total = total
            self.pinned = pinned
            self.cache = cache
        }
    }

    package struct Report: Sendable, Equatable {
        package var responses = 0
        /// The number of sets of renditions that were stored.
        package var renditions = 0
        /// The number of sets of renditions that were pinned.
        package var pins = 0
        /// The number of pins whose date had passed.
        package var expiredPins = 0
        /// The number of pins that exceeded the quota of pins.
        package var refusedPins = 0
        /// The number of pins whose files were removed during the import, by a purge or by eviction.
        package var removedPins = 0
        /// The number of bytes of all entries of the archive.
        package var bytes = 0
        /// The number of responses that were already in the cache.
        package var present = 0
        /// The number of responses that the cache refused, because of its limits or because the disk is full.
        package var refused = 0
    }

    /// The longest time for which an imported set is pinned, in seconds: ten years.
    static let maxPin: TimeInterval = 10 * 366 * 86_400

    private let root: String
    private let limits: Limits
    private let isType: @Sendable (MediaFormat, [UInt8]) -> Bool

    /// - Parameter isType: A function that returns whether a file that begins with these bytes is of a type.
    package init(root: String, limits: Limits, isType: @escaping @Sendable (MediaFormat, [UInt8]) -> Bool) {
        self.root = root
        self.limits = limits
        self.isType = isType
    }

    /// Imports an archive into the root. `next` returns further bytes of the archive, and an empty array at its end.
    /// Throws ``ArchiveError``, or an error of the system.
    package func run(reading next: @escaping () throws -> [UInt8]) async throws -> Report {
        let staging = try ArchiveStaging(root: root)
        let byteCount = try stage(ArchiveReader(next: next), in: staging)
        let store = try AppGroupStore(root: root)
        let cache = try ResponseCache(root: root, limits: limits.cache, recentKeys: 64)
        let result: Result<Report, any Error>
        do { result = .success(try await commit(byteCount, from: staging, to: cache, store)) } catch {
            result = .failure(error)
        }
        await cache.shutdown()
        await store.shutdown()
        return try result.get()
    }

    // MARK: Staging of the archive

    /// Writes and checks the blobs and records of an archive in the staging directory. Returns their number of bytes.
    private func stage(_ reader: consuming ArchiveReader, in staging: ArchiveStaging) throws -> Int {
        var reader = reader
        var byteCount = 0
        var recordCount = 0
        try staging.records.fill { adder in
            while let entry = try reader.entry() {
                let limit = entry.directory == .blobs ? limits.blob : ArchiveRecord.maxBytes
                guard entry.byteCount <= limit else { throw ArchiveError.tooLarge(name: entry.name, limit: limit) }
                byteCount += entry.byteCount
                guard byteCount <= limits.total else { throw ArchiveError.tooMuch(limit: limits.total) }
                let isNew: Bool
                switch entry.directory {
                case .blobs:
                    isNew = try adder.addBlob(entry.digest, byteCount: entry.byteCount)
                    if isNew { try staging.write(entry) { write in try reader.body(of: entry, write) } }
                case .records:
                    let (record, bytes) = try Self.record(entry, &reader)
                    isNew = try adder.add(record, bytes: bytes, named: entry.name)
                    recordCount += 1
                }
                guard isNew else { throw ArchiveError.repeated(name: entry.name) }
                guard recordCount <= limits.records else { throw ArchiveError.tooManyRecords(limit: limits.records) }
            }
        }
        try staging.records.check { digest, type in
            isType(type, try FileSystem.bytes(of: staging.open(digest), at: 0, count: 512))
        }
        return byteCount
    }

    private static func record(
        _ entry: ArchiveEntry, _ reader: inout ArchiveReader
    ) throws -> (record: ArchiveRecord, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        try reader.body(of: entry) { bytes += $0 }
        do throws(RecordProblem) { return (try ArchiveRecord(bytes), bytes) } catch {
            throw ArchiveError.record(name: entry.name, problem: error.text)
        }
    }

    // MARK: Storing of the staged entries

    /// Stores the staged entries. Renditions are stored first, so that a response never exists without its renditions.
    private func commit(
        _ byteCount: Int, from staging: ArchiveStaging, to cache: ResponseCache, _ store: AppGroupStore
    ) async throws -> Report {
        var report = Report(bytes: byteCount)
        let records = staging.records
        try await Self.notePresent(in: cache, records)
        var number = 0
        while let next = try records.next(.renditions, after: number) {
            number = next.number
            guard case .renditions(let record) = next.record, try !records.isPresent(record.key.identity) else {
                continue
            }
            let media = try await Self.store(record.media, in: record.group, from: staging, to: store)
            await store.remember(media, as: record.key, in: record.group)
            report.renditions += 1
        }
        try await commitPins(from: staging, to: store, &report)
        try await commitResponses(from: staging, to: cache, &report)
        return report
    }

    private static func notePresent(in cache: ResponseCache, _ records: StagedRecords) async throws {
        var last = ""
        while true {
            let ids = try records.ids(after: last, atMost: 1_000)
            guard let end = ids.last else { return }
            last = end
            try records.notePresent(await cache.stored(Set(ids)))
        }
    }

    private func commitResponses(
        from staging: ArchiveStaging, to cache: ResponseCache, _ report: inout Report
    ) async throws {
        let now = Date()
        var number = 0
        var count = 0
        while let next = try staging.records.next(.response, after: number) {
            number = next.number
            guard case .response(let record) = next.record else { continue }
            count += 1
            guard try !staging.records.isPresent(record.response.id) else {
                report.present += 1
                continue
            }
            await cache.insert(
                record.response.stale(ifAfter: now), body: try record.body.map(staging.open), since: cache.purgeMark)
        }
        report.refused = await cache.statistics().refused
        report.responses = count - report.present - report.refused
    }

    private func commitPins(
        from staging: ArchiveStaging, to store: AppGroupStore, _ report: inout Report
    ) async throws {
        store.change(pinQuota: limits.pinned)
        let now = Date()
        var number = 0
        while let next = try staging.records.next(.pin, after: number) {
            number = next.number
            guard case .pin(let record) = next.record else { continue }
            guard record.keepUntil > now else {
                report.expiredPins += 1
                continue
            }
            let media = try await Self.store(record.media, in: record.group, from: staging, to: store)
            let end = min(record.keepUntil, now.addingTimeInterval(Self.maxPin))
            switch try await store.tryPin(media, as: record.key, in: record.group, until: end) {
            case .pinned: report.pins += 1
            case .noSpace: report.refusedPins += 1
            case .fileGone: report.removedPins += 1
            }
        }
    }

    private static func store(
        _ media: StoredRenditions, in group: AppGroupName, from staging: ArchiveStaging, to store: AppGroupStore
    ) async throws -> StoredRenditions {
        let renditions = try media.assets.map { asset in
            Rendition(info: asset.info, file: try staging.open(asset.sha256))
        }
        var media = media
        media.assets = try await store.store(renditions, in: group, until: .distantPast)
        return media
    }
}

extension StoredResponse {
    /// Returns the response as a stale response, if it was received after `now` by the clock of another machine.
    ///
    /// The age of a response is counted from its reception (RFC 9111 §4.2.3). Otherwise the response would stay fresh
    /// at least until that future date.
    fileprivate func stale(ifAfter now: Date) -> StoredResponse {
        guard max(requestTime, responseTime) > now else { return self }
        var response = self
        (response.requestTime, response.responseTime) = (.distantPast, .distantPast)
        return response
    }
}

import GRDB
import HTTPCaching
import LinuxIO
import NotificationModel
import SQLiteFiles

/// The part of an inspection that compares the HTTP cache.
extension StoreInspection {
    private var cacheDirectory: String { "\(root)/\(ResponseCache.directoryName)" }
    private var indexName: String { "\(ResponseCache.directoryName)/index.sqlite" }

    func inspectCache(_ report: inout InspectionReport) throws {
        guard let names = try? FileSystem.names(in: cacheDirectory) else { return }
        let index: CacheIndex?
        do {
            index = try CacheIndex(readingOnly: cacheDirectory + "/index.sqlite")
            try index?.database.read(DatabaseDamage.check)
        } catch  where CacheIndex.isUnusable(error) {
            let words = DatabaseDamage.words(for: error, at: cacheDirectory + "/index.sqlite")
            return add(
                .indexDamaged, indexName, "the index cannot be read: \(words)", repair: .removeCache, to: &report)
        }
        if let index { try compareTotals(index, &report) }
        var seen: Set<String> = []
        try index?.forEachRow { row in
            report.responses += 1
            progress(report)
            if let file = try inspect(row, of: index, &report) { seen.insert(file) }
        }
        guard names.contains("bodies") else { return }
        for shard in (try? FileSystem.names(in: cacheDirectory + "/bodies"))?.sorted() ?? [] {
            try inspectShard(shard, seen, index, &report)
        }
    }

    /// Compares the totals with the rows. Triggers update the totals, and eviction depends on them.
    private func compareTotals(_ index: CacheIndex, _ report: inout InspectionReport) throws {
        let (kept, counted) = try index.database.read { (try CacheIndex.totals($0), try CacheIndex.counted($0)) }
        guard kept != counted else { return }
        let words = """
            the index says \(kept.entries) responses and \(kept.bytes) bytes, its rows have \(counted.entries) and \
            \(counted.bytes)
            """
        add(.indexMismatch, indexName, words, repair: .recountTotals, to: &report)
    }

    /// Compares a row with its file, and reports damage. Returns the name of the row's file.
    private func inspect(
        _ row: CacheIndex.ListedRow, of index: CacheIndex?, _ report: inout InspectionReport
    ) throws -> String? {
        guard let finding = try finding(for: row, &report) else { return row.entry?.body?.name ?? row.file }
        // The daemon may have changed the row since it was read.
        guard let current = try index?.row(row.number), current == row else { return row.file }
        let path = row.file.map { "\(ResponseCache.directoryName)/bodies/\($0.prefix(2))/\($0)" } ?? indexName
        add(finding.kind, path, key: row.id, finding.detail(for: row), repair: finding.repair(for: row), to: &report)
        return row.file
    }

    private func finding(for row: CacheIndex.ListedRow, _ report: inout InspectionReport) throws -> BodyFinding? {
        guard let entry = row.entry, entry.body != nil || entry.response.storedBytes.isEmpty else { return .badRow }
        guard let body = entry.body else { return row.bytes == entry.byteCount ? nil : .wrongCount(entry.byteCount) }
        guard CacheBodies.isName(body.name) else { return .badRow }
        let path = CacheBodies(root: root).path(of: body.name)
        switch try FileInspection(at: path) {
        case .missing: return .missing
        case .otherKind: return .otherKind
        case .unreadable(let error): return .unreadable(error.reason)
        case .file(let file, let byteCount):
            let checksum: UInt64
            do throws(SystemError) { checksum = try Self.checksum(of: file) } catch { return .unreadable(error.reason) }
            report.bytes += byteCount
            let finding = BodyFinding(
                stored: entry.response.storedBytes.count, found: byteCount, isSame: checksum == body.checksum)
            return finding ?? (row.bytes == entry.byteCount ? nil : .wrongCount(entry.byteCount))
        }
    }

    private static func checksum(of file: MediaFile) throws(SystemError) -> UInt64 {
        var checksum = try Checksum()
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in checksum.update(Array(chunk)) }
        return checksum.value
    }
    private func inspectShard(
        _ shard: String, _ seen: Set<String>, _ index: CacheIndex?, _ report: inout InspectionReport
    ) throws {
        for name in (try? FileSystem.names(in: "\(cacheDirectory)/bodies/\(shard)"))?.sorted() ?? [] {
            let path = "\(cacheDirectory)/bodies/\(shard)/\(name)"
            let isAtItsPlace = name.hasPrefix(shard)
            if isAtItsPlace, seen.contains(name) { continue }
            guard let status = try? FileSystem.look(at: path), status.kind != .directory, isOld(status) else {
                continue
            }
            // The row of the file may have been written since the rows were read.
            if isAtItsPlace, let index, try index.names(file: name) { continue }
            add(
                .orphan, "\(ResponseCache.directoryName)/bodies/\(shard)/\(name)",
                "no response has this file", repair: .removeBody(path: path), to: &report)
        }
    }
}

import AppGroupStore
import Base
import FoundationEssentials
import GRDB
import HTTPCaching
import LinuxIO
import NotificationModel
import SQLiteFiles

/// The part of an inspection that compares the containers.
extension StoreInspection {
    func inspect(_ group: AppGroupName, _ report: inout InspectionReport) throws {
        let path = "\(root)/\(group)/index.sqlite"
        let index: ContainerIndex?
        do {
            index = try ContainerIndex(readingOnly: path)
            if let index {
                try index.database.read(DatabaseDamage.check)
                let (stored, own) = (
                    try index.database.read(StoreVersion.last), ContainerIndex.version
                )
                if stored > own {
                    report.notes.append("\(path): \(NewerIndex())")
                    return
                }
                guard stored == own else {
                    let isMigrated = repairer?.repair(.replaceIndex, in: group) == true
                    report.notes.append(
                        "\(path): an earlier version of the program made the index, "
                            + (isMigrated ? "which is migrated now" : "which the next daemon migrates"))
                    return
                }
            }
        } catch  where DatabaseDamage.isDamage(error) {
            let words = DatabaseDamage.words(for: error, at: path)
            return add(
                .indexDamaged, "\(group)/index.sqlite", "the index cannot be read: \(words)", repair: .replaceIndex,
                in: group, to: &report)
        }
        var rows: [String: ContainerIndex.ListedAsset] = [:]
        for shard in CacheBodies.shards {
            rows = try Dictionary(
                index?.assets(ofShard: shard).map { ($0.digest, $0) } ?? [], uniquingKeysWith: { first, _ in first })
            try inspectShard(shard, rows, index, group, &report)
        }
        try inspectOddRows(index, group, &report)
    }

    private func inspectShard(
        _ shard: String, _ rows: [String: ContainerIndex.ListedAsset], _ index: ContainerIndex?,
        _ group: AppGroupName, _ report: inout InspectionReport
    ) throws {
        let directory = "\(root)/\(group)/media/\(shard)"
        let names = ((try? FileSystem.names(in: directory)) ?? []).sorted()
        var files = Dictionary(grouping: names.filter { MediaShard.type(of: $0) != nil }) { String($0.prefix(64)) }
        for row in rows.values.sorted(by: { $0.digest < $1.digest }) {
            report.files += 1
            progress(report)
            // The candidates are the row's own file, and files with the same digest and another extension.
            let candidates = files.removeValue(forKey: row.digest) ?? []
            let own = candidates.first { "media/\(shard)/\($0)" == row.path } ?? candidates.first
            try inspect(row, file: own, in: shard, index, group, &report)
            for other in candidates where other != own { files[row.digest, default: []].append(other) }
        }
        let rowless = files.values.joined() + names.filter { MediaShard.isLeftBehind($0) }
        for name in rowless.sorted() {
            try inspectRowless(name, in: shard, hasRow: rows[String(name.prefix(64))] != nil, index, group, &report)
        }
    }

    private func inspect(
        _ row: ContainerIndex.ListedAsset, file: String?, in shard: String, _ index: ContainerIndex?,
        _ group: AppGroupName, _ report: inout InspectionReport
    ) throws {
        guard let finding = try finding(for: row, file, in: shard, group, &report) else { return }
        // The daemon may have changed the row since it was read.
        guard try index?.asset(row.digest) == row else { return }
        let path = file.map { "media/\(shard)/\($0)" }
        let name = path ?? AppGroupContainer.path(of: row.digest, row.type ?? .jpeg)
        add(
            finding.kind, "\(group)/\(name)", key: row.digest, finding.detail(for: row),
            repair: finding.repair(for: row, path: path), in: group, to: &report)
    }

    private func finding(
        for row: ContainerIndex.ListedAsset, _ file: String?, in shard: String, _ group: AppGroupName,
        _ report: inout InspectionReport
    ) throws -> MediaFinding? {
        guard let file else { return isOnItsWay(row) ? nil : .missing }
        let path = "\(root)/\(group)/media/\(shard)/\(file)"
        switch try FileInspection(at: path) {
        case .missing: return isOnItsWay(row) ? nil : .missing
        case .otherKind: return .otherKind
        case .unreadable(let error): return .unreadable(error.reason)
        case .file(let opened, let byteCount):
            let digest: String
            do throws(SystemError) { digest = try FileDigest.of(opened) } catch { return .unreadable(error.reason) }
            report.bytes += byteCount
            guard let type = MediaShard.type(of: file) else { return .missing }
            let found = ContainerIndex.FoundFile(file, inShard: shard, as: type, byteCount: byteCount, changed: now)
            return MediaFinding(row: row, found: found, isSame: digest == row.digest)
        }
    }

    /// Returns whether the file of a row may still be written. A file is leased before it gets its name.
    private func isOnItsWay(_ row: ContainerIndex.ListedAsset) -> Bool {
        row.leaseExpiry >= now && now.timeIntervalSince(row.usedAt) < Self.maxOnTheWay
    }

    /// Reports a file that no row names. Its name is a digest, or that of an unfinished file.
    private func inspectRowless(
        _ name: String, in shard: String, hasRow: Bool, _ index: ContainerIndex?, _ group: AppGroupName,
        _ report: inout InspectionReport
    ) throws {
        let path = "media/\(shard)/\(name)"
        guard let status = try? FileSystem.look(at: "\(root)/\(group)/\(path)"), status.kind != .directory,
            isOld(status)
        else { return }
        var repair = StoreRepair.removeMedia(path: path)
        var words = "no row of the index has this file"
        if let type = MediaShard.type(of: name), name.hasPrefix(shard), !hasRow,
            case .file(let file, let byteCount) = try FileInspection(at: "\(root)/\(group)/\(path)")
        {
            report.bytes += byteCount
            let digest = String(name.prefix(64))
            // The row of the file may have been written since the rows were read.
            if try index?.asset(digest) != nil { return }
            if (try? FileDigest.of(file)) == digest {
                repair = .correctAsset(
                    .init(name, inShard: shard, as: type, byteCount: byteCount, changed: status.changeDate))
            } else {
                words += ", and the digest of its bytes is not its name"
            }
        }
        add(.orphan, "\(group)/\(path)", words, repair: repair, in: group, to: &report)
    }

    /// Reports rows that are in no shard, and rows that refer to a missing row.
    private func inspectOddRows(
        _ index: ContainerIndex?, _ group: AppGroupName, _ report: inout InspectionReport
    ) throws {
        guard let index else { return }
        for digest in try index.misnamedAssets() {
            report.files += 1
            add(
                .indexMismatch, "\(group)/index.sqlite", key: digest, "the row of a file has no digest",
                repair: .forgetAsset(digest: digest, path: nil), in: group, to: &report)
        }
        for (table, key) in try index.danglingRows() {
            add(
                .indexMismatch, "\(group)/index.sqlite", key: key,
                "a row of \(table) refers to a row that is not there", repair: .removeDanglingRows, in: group,
                to: &report)
        }
    }
}

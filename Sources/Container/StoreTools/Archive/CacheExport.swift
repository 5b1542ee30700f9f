import AppGroupStore
import Base
import Digests
import FoundationEssentials
import HTTPCaching
import LinuxIO
package import NotificationModel

/// An export of a root as an archive of its responses, the renditions that were made from them, and the pins.
///
/// An export may run while a daemon uses the root. It has separate connections, and changes nothing. Damaged and
/// evicted files are skipped.
package struct CacheExport {
    package struct Report: Sendable, Equatable {
        package var responses = 0
        /// The number of sets of renditions in the archive.
        package var renditions = 0
        /// The number of pinned sets of renditions in the archive.
        package var pins = 0
        /// The number of bytes of all entries of the archive.
        package var bytes = 0
        /// The number of responses and sets of renditions that were skipped. A skipped response or set has a missing or
        /// damaged file, or only a part of its body is stored.
        package var skipped = 0
    }

    private let root: String
    private let groups: [AppGroupName]

    /// - Parameter groups: The groups whose renditions are exported; `nil` exports the renditions of all groups.
    package init(root: String, groups: [AppGroupName]? = nil) {
        self.root = root
        self.groups = groups ?? AppGroupStore.groups(in: root)
    }

    /// Writes the archive to a descriptor. Throws an error if an index cannot be read, or the descriptor cannot be
    /// written. After an error, the archive is incomplete.
    package func write(to descriptor: Int32) throws -> Report {
        var report = Report()
        var writer = ArchiveWriter(descriptor: descriptor)
        let bodies = CacheBodies(root: root)
        var indexes: [(group: AppGroupName, index: ContainerIndex)] = []
        for group in groups {
            guard let index = try ContainerIndex(readingOnly: "\(root)/\(group)/index.sqlite") else { continue }
            indexes.append((group, index))
        }
        let index = try CacheIndex(readingOnly: bodies.directory + "/index.sqlite")
        try index?.forEachRow { row in
            guard let entry = row.entry, entry.response.isWhole || entry.body == nil,
                try write(entry, from: bodies, to: &writer)
            else {
                report.skipped += 1
                return
            }
            report.responses += 1
            for (group, index) in indexes {
                for (recipe, media) in try index.renditions(of: entry.response.id) {
                    let renditions = ArchiveRecord.Renditions(
                        group: group, key: RenditionKey(identity: entry.response.id, recipe: recipe), media: media)
                    if try write(.renditions(renditions), of: media, in: group, to: &writer) {
                        report.renditions += 1
                    } else {
                        report.skipped += 1
                    }
                }
            }
        }
        let now = Date()
        for (group, index) in indexes {
            for key in try index.sortedPinKeys() {
                guard let pinned = try index.pinned(key, at: now) else { continue }
                let pin = ArchiveRecord.Pin(group: group, key: key, keepUntil: pinned.until, media: pinned.media)
                if try write(.pin(pin), of: pinned.media, in: group, to: &writer) {
                    report.pins += 1
                } else {
                    report.skipped += 1
                }
            }
        }
        try writer.finish()
        report.bytes = writer.byteCount
        return report
    }

    /// Writes the record and the body of a response; returns `false` if the body is missing or damaged.
    private func write(_ entry: CacheEntry, from bodies: CacheBodies, to writer: inout ArchiveWriter) throws -> Bool {
        var record = ArchiveRecord.Response(response: entry.response, body: nil)
        if let body = entry.body {
            guard let file = try? bodies.open(body.name),
                let digest = try? Self.digest(of: file, checksum: body.checksum),
                try FileSystem.size(of: file) == entry.response.storedBytes.count
            else { return false }
            record.body = digest
            try writer.write(file, digest: digest, byteCount: entry.response.storedBytes.count)
        } else if !entry.response.storedBytes.isEmpty {
            return false
        }
        try writer.write(ArchiveRecord.response(record).bytes)
        return true
    }

    /// Returns the digest of a file; `nil` if the bytes have another checksum than expected.
    private static func digest(of file: MediaFile, checksum expected: UInt64) throws(SystemError) -> String? {
        var digest = SHA256()
        var checksum = try Checksum()
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in
            let bytes = Array(chunk)
            digest.update(bytes.span)
            checksum.update(bytes)
        }
        return checksum.value == expected ? Hexadecimal.text(of: digest.finalize()) : nil
    }

    /// Writes a record and the files of its renditions; returns `false` if a file is missing or damaged.
    private func write(
        _ record: ArchiveRecord, of media: StoredRenditions, in group: AppGroupName, to writer: inout ArchiveWriter
    ) throws -> Bool {
        var files: [(asset: StoredAsset, file: MediaFile)] = []
        for asset in media.assets {
            guard let file = try? FileSystem.openForReading("\(root)/\(group)/\(asset.path)"),
                try FileSystem.size(of: file) == asset.info.byteCount, try FileDigest.of(file) == asset.sha256
            else { return false }
            files.append((asset, file))
        }
        for (asset, file) in files { try writer.write(file, digest: asset.sha256, byteCount: asset.info.byteCount) }
        try writer.write(record.bytes)
        return true
    }
}

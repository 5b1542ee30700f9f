import LinuxIO
import NotificationModel

/// The blobs and records of an archive during its import, in a private directory: `ROOT/.import`, mode 0700.
///
/// One process imports into a root at a time. Files that an earlier import left in the directory are removed.
final class ArchiveStaging {
    private let blobs: String
    private let lock: FileLock
    let records: StagedRecords

    /// - Throws: An error if another process imports into the root, or the directory cannot be created.
    init(root: String) throws {
        let directory = root + "/.import"
        try FileSystem.makeDirectories(directory)
        try FileSystem.setMode(0o700, of: directory)
        lock = try FileLock.take(directory + "/lock")
        blobs = directory + "/blobs"
        try FileSystem.makeDirectory(blobs)
        try Self.removeAll(in: blobs)
        records = try StagedRecords(path: blobs + "/records.sqlite")
    }

    deinit {
        records.close()
        try? Self.removeAll(in: blobs)
    }

    /// Writes the bytes of a blob as they arrive.
    func write(_ entry: ArchiveEntry, _ fill: (([UInt8]) throws -> Void) throws -> Void) throws {
        let file = try AnonymousFile.create(in: blobs)
        try fill { try FileSystem.write($0[...], to: file.descriptor) }
        if file.isLinkable {
            try AnonymousFile.link(file, to: path(of: entry.digest))
        } else {
            try FileSystem.copy(file, to: path(of: entry.digest))
        }
    }

    func open(_ digest: String) throws(SystemError) -> MediaFile { try FileSystem.openForReading(path(of: digest)) }

    private func path(of digest: String) -> String { "\(blobs)/\(digest)" }

    private static func removeAll(in directory: String) throws {
        for name in try FileSystem.names(in: directory) { try FileSystem.remove("\(directory)/\(name)") }
    }
}

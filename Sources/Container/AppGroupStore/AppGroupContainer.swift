package import Base
import Digests
import Glibc
package import LinuxIO
import NotificationModel

/// The directory of one app group. Every method blocks, so it is called on the thread of the disk only.
package struct AppGroupContainer {
    let directory: String

    /// Opens the container of a group in an existing root, and creates its directories if they do not exist.
    init(root: String, group: AppGroupName) throws(SystemError) {
        directory = "\(root)/\(group)"
        // A name is durable when its directory is synced. The root contains the name of the group, and the group's
        // directory contains the name `media`.
        if try FileSystem.makeDirectory(directory) { try FileSystem.syncDirectory(root) }
        if try FileSystem.makeDirectory(directory + "/media") { try FileSystem.syncDirectory(directory) }
    }

    /// Returns the path of a file within the group's directory.
    package static func path(of digest: String, _ type: MediaFormat) -> String {
        "media/\(digest.prefix(2))/\(digest).\(type.fileExtension)"
    }

    /// Makes a rendition durable under its digest. The bytes are synced before the file gets its name, and the
    /// directory is synced after that.
    ///
    /// The bytes are copied while they are counted. A compromised worker may have kept a descriptor of its output, and
    /// must not be able to change the stored file.
    ///
    /// - Parameter lease: A closure that leases the file. The closure is called before the check whether the file
    ///   exists. No eviction removes the file after this call.
    func keep(_ rendition: Rendition, lease: (StoredAsset) -> Void = { _ in }) throws(SystemError) -> StoredAsset {
        let (copy, digest) = try hashedCopy(of: rendition)
        let shard = "media/" + digest.prefix(2)
        let path = Self.path(of: digest, rendition.info.type)
        let asset = StoredAsset(info: rendition.info, sha256: digest, path: path)
        lease(asset)
        try makeShard(shard)
        try publish(copy, of: rendition.info.byteCount, digest: digest, as: "\(directory)/\(path)")
        try FileSystem.syncDirectory("\(directory)/\(shard)")
        return asset
    }

    /// Creates the directory of a shard. The `media` directory may have been deleted since the container was opened.
    private func makeShard(_ shard: String) throws(SystemError) {
        do throws(SystemError) {
            if try FileSystem.makeDirectory("\(directory)/\(shard)") {
                try FileSystem.syncDirectory(directory + "/media")
            }
        } catch  where error.isNoSuchFile {
            try FileSystem.makeDirectory(directory + "/media")
            try FileSystem.syncDirectory(directory)
            try FileSystem.makeDirectory("\(directory)/\(shard)")
            try FileSystem.syncDirectory(directory + "/media")
        }
    }

    private func publish(_ file: MediaFile, of byteCount: Int, digest: String, as path: String) throws(SystemError) {
        if try isWhole(path, byteCount, digest) { return }
        guard file.isLinkable else { return try FileSystem.copy(file, to: path) }
        try FileSystem.sync(file)
        do throws(SystemError) {
            try AnonymousFile.link(file, to: path)
        } catch  where error.errno == EEXIST {
            // Another process stored the file first, or a damaged file has the name.
            if try !isWhole(path, byteCount, digest) { try FileSystem.copy(file, to: path) }
        }
    }

    /// Returns whether the file exists with all its bytes. A file that cannot be read counts as missing.
    func isWhole(_ asset: StoredAsset) -> Bool {
        (try? isWhole("\(directory)/\(asset.path)", asset.info.byteCount, asset.sha256)) ?? false
    }

    /// Returns whether all bytes of a file match its digest. A disk may lose bytes and keep the length.
    private func isWhole(_ path: String, _ byteCount: Int, _ digest: String) throws(SystemError) -> Bool {
        guard FileSystem.size(of: path) == byteCount else { return false }
        let file = try FileReader(path)
        var hash = SHA256()
        while true {
            let piece = try file.next()
            guard !piece.isEmpty else { return Hexadecimal.text(of: hash.finalize()) == digest }
            hash.update(piece.span)
        }
    }

    private func hashedCopy(of rendition: Rendition) throws(SystemError) -> (copy: MediaFile, digest: String) {
        let copy = try AnonymousFile.create(in: directory)
        var hash = SHA256()
        var byteCount = 0
        try FileSystem.forEachChunk(of: rendition.file) { chunk throws(SystemError) in
            hash.update(chunk.span)
            byteCount += chunk.count
            try FileSystem.write(chunk, to: copy.descriptor)
        }
        guard byteCount == rendition.info.byteCount else {
            throw SystemError("the rendition's length changed", errno: EIO)
        }
        return (copy, Hexadecimal.text(of: hash.finalize()))
    }
}

/// The SHA-256 of a file's bytes, in the form of the container's file names.
package enum FileDigest {
    /// The number of hexadecimal digits of a digest.
    static let digitCount = 64

    /// Returns the digest of a file, which it reads to its end, as 64 lower-case hexadecimal digits.
    package static func of(_ file: MediaFile) throws(SystemError) -> String {
        var hash = SHA256()
        try FileSystem.forEachChunk(of: file) { chunk throws(SystemError) in hash.update(chunk.span) }
        return Hexadecimal.text(of: hash.finalize())
    }

    package static func of(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: SHA256.hash(bytes)) }

    /// Returns whether a text has the form of a digest.
    package static func isDigest(_ text: some StringProtocol) -> Bool {
        text.utf8.count == digitCount && Hexadecimal.isLowercase(text)
    }
}

import Digests
import Glibc
import LinuxIO
import NotificationModel

/// One group's folder. Everything here blocks: it is called on the disk's thread only.
struct AppGroupContainer {
    let directory: String

    /// - Parameter root: exists.
    init(root: String, group: AppGroupName) throws(SystemError) {
        directory = "\(root)/\(group)"
        // A name is durable when its folder is: the group's in the root, the media's in the group.
        if try FileSystem.makeDirectory(directory) { try FileSystem.syncDirectory(root) }
        if try FileSystem.makeDirectory(directory + "/media") { try FileSystem.syncDirectory(directory) }
    }

    /// Returns the path of a file within the group's directory.
    static func path(of digest: String, _ type: RenditionType) -> String {
        "media/\(digest.prefix(2))/\(digest).\(type.fileExtension)"
    }

    /// Makes a rendition durable under its digest: bytes, then name, then folder, each synced before the next.
    ///
    /// The bytes are copied while they are counted: a worker that was taken over may have kept a descriptor of its
    /// output, and must not be able to change what is stored.
    ///
    /// - Parameter hold: called before it is looked whether the file is there: from then on nobody may remove it.
    func keep(
        _ rendition: Rendition, lease: (StoredAsset) -> Void = { _ in }
    ) throws(SystemError) -> StoredAsset {
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

    /// Somebody may have removed the media altogether since.
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

    private func publish(
        _ file: MediaFile, of byteCount: Int, digest: String, as path: String
    ) throws(SystemError) {
        if try isWhole(path, byteCount, digest) { return }
        guard file.isLinkable else { return try FileSystem.copy(file, to: path) }
        try FileSystem.sync(file)
        do throws(SystemError) {
            try AnonymousFile.link(file, to: path)
        } catch  where error.errno == EEXIST {
            // Another process was faster, or a damaged file is in the way.
            if try !isWhole(path, byteCount, digest) { try FileSystem.copy(file, to: path) }
        }
    }

    /// Whether the file is there with all its bytes. One that cannot be read is not.
    func isWhole(_ asset: StoredAsset) -> Bool {
        (try? isWhole("\(directory)/\(asset.path)", asset.info.byteCount, asset.sha256)) ?? false
    }

    /// The name says the content: whether the file keeps the promise. A disk may have lost bytes and kept the length.
    private func isWhole(_ path: String, _ byteCount: Int, _ digest: String) throws(SystemError) -> Bool {
        guard FileSystem.size(of: path) == byteCount else { return false }
        let file = try FileReader(path)
        var hash = SHA256()
        while true {
            let piece = try file.next()
            guard !piece.isEmpty else { return FileDigest.text(of: hash.finalize()) == digest }
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
        return (copy, FileDigest.text(of: hash.finalize()))
    }
}

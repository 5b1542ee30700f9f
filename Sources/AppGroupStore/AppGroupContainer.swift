import Crypto
import Glibc
import LinuxIO
import NotificationModel

/// One group's folder. Everything here blocks: it is called on the disk's thread only.
struct AppGroupContainer {
    let folder: String
    let index: ContainerIndex

    init(folder: String) throws {
        try FileSystem.makeFolder(folder)
        try FileSystem.makeFolder(folder + "/media")
        self.folder = folder
        index = try ContainerIndex(path: folder + "/index.sqlite")
    }

    /// Makes a rendition durable under its digest: bytes, then name, then folder, each synced before the next.
    ///
    /// The bytes are copied while they are counted: a worker that was taken over may have kept a descriptor of its
    /// output, and must not be able to change what is stored.
    func keep(_ rendition: Rendition) throws(SystemError) -> StoredAsset {
        let (copy, digest) = try hashedCopy(of: rendition)
        let shard = "media/" + digest.prefix(2)
        let path = "\(shard)/\(digest).\(rendition.info.type.fileExtension)"
        if try FileSystem.makeFolder("\(folder)/\(shard)") { try FileSystem.syncFolder(folder + "/media") }
        try publish(copy, of: rendition.info.byteCount, as: "\(folder)/\(path)")
        try FileSystem.syncFolder("\(folder)/\(shard)")
        return StoredAsset(info: rendition.info, sha256: digest, path: path)
    }

    private func publish(_ file: MediaFile, of byteCount: Int, as path: String) throws(SystemError) {
        // The name says the content, so a whole file that has it already is this one.
        if FileSystem.size(of: path) == byteCount { return }
        guard file.isLinkable else { return try FileSystem.copy(file, to: path) }
        try FileSystem.sync(file)
        do throws(SystemError) {
            try AnonymousFile.link(file, to: path)
        } catch  where error.errno == EEXIST {
            // Another process was faster, or a file of another size is in the way.
            if FileSystem.size(of: path) != byteCount { try FileSystem.copy(file, to: path) }
        }
    }

    private func hashedCopy(of rendition: Rendition) throws(SystemError) -> (copy: MediaFile, digest: String) {
        let copy = try AnonymousFile.create(in: folder)
        var hash = SHA256()
        var byteCount = 0
        try FileSystem.forEachChunk(of: rendition.file) { chunk throws(SystemError) in
            hash.update(data: chunk)
            byteCount += chunk.count
            try FileSystem.write(chunk, to: copy.descriptor)
        }
        guard byteCount == rendition.info.byteCount else {
            throw SystemError("the rendition's length changed", errno: EIO)
        }
        return (copy, Self.hexadecimal(hash.finalize()))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

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
    func keep(_ rendition: Rendition) throws(SystemError) -> StoredAsset {
        let digest = try digest(of: rendition.file)
        let shard = "media/" + digest.prefix(2)
        let path = "\(shard)/\(digest).\(rendition.info.type.fileExtension)"
        if try FileSystem.makeFolder("\(folder)/\(shard)") { try FileSystem.syncFolder(folder + "/media") }
        try publish(rendition, as: "\(folder)/\(path)")
        try FileSystem.syncFolder("\(folder)/\(shard)")
        return StoredAsset(info: rendition.info, sha256: digest, path: path)
    }

    private func publish(_ rendition: Rendition, as path: String) throws(SystemError) {
        // The name says the content, so a whole file that has it already is this one.
        if FileSystem.size(of: path) == rendition.info.byteCount { return }
        guard rendition.file.isLinkable else { return try FileSystem.copy(rendition.file, to: path) }
        try FileSystem.sync(rendition.file)
        do throws(SystemError) {
            try AnonymousFile.link(rendition.file, to: path)
        } catch  where error.errno == EEXIST {
            // Another process was faster, or a file of another size is in the way.
            if FileSystem.size(of: path) != rendition.info.byteCount { try FileSystem.copy(rendition.file, to: path) }
        }
    }

    private func digest(of file: MediaFile) throws(SystemError) -> String {
        var hash = SHA256()
        try FileSystem.forEachChunk(of: file) { hash.update(data: $0) }
        return hash.finalize().map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

package import FoundationEssentials
package import LinuxIO
package import MediaTypes
import Primitives

/// One directory of the container. The directory contains the files whose digests begin with its name.
package struct MediaShard {
    let directory: String
    let name: String

    /// - Parameter directory: The directory of the container's media.
    package init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    package static func isName(_ name: String) -> Bool { name.utf8.count == 2 && Hexadecimal.isLowercase(name) }

    /// Returns the files whose name is a digest. Other files do not belong to the container, and are not changed.
    ///
    /// - Parameter now: The current time. A file `.part-…` that is more than an hour old is removed. Such files exist
    ///   on file systems without nameless files.
    package func files(removingPartsBefore now: Date) throws(SystemError) -> [ContainerIndex.FoundFile] {
        var found: [ContainerIndex.FoundFile] = []
        for file in try FileSystem.names(in: "\(directory)/\(name)") {
            let path = "\(directory)/\(name)/\(file)"
            guard let status = try? FileSystem.look(at: path), status.kind == .regular else { continue }
            if file.hasPrefix(".part-"), now.timeIntervalSince(status.changeDate) > 3_600 {
                try? FileSystem.remove(path)
            } else if let type = Self.type(of: file), file.hasPrefix(name) {
                found.append(
                    .init(file, inShard: name, as: type, byteCount: status.byteCount, changed: status.changeDate))
            }
        }
        return found
    }

    /// Returns whether a file is an unfinished `.part-…` file, or has a digest and an unknown extension.
    package static func isLeftBehind(_ file: String) -> Bool {
        file.hasPrefix(".part-") || FileDigest.isDigest(file.prefix(FileDigest.digitCount)) && type(of: file) == nil
    }

    /// Returns the type of a file whose name is a digest, by its extension; `nil` if the file has another name.
    package static func type(of file: String) -> MediaFormat? {
        guard file.utf8.count > 65, FileDigest.isDigest(file.prefix(64)), file.dropFirst(64).first == "." else {
            return nil
        }
        return MediaFormat.rendition(extension: file.dropFirst(65))
    }
}

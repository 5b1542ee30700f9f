import BenchProcess
import Glibc
import LinuxIO
import NotificationModel

/// A regular file of the corpus. Its path need not be valid text.
struct CorpusFile: Sendable {
    /// The path as the file system has it, with a terminating zero.
    let path: [CChar]
    let byteCount: Int

    /// The path as text. Bytes that are not UTF-8 are replaced.
    var name: String { String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }

    /// Opens the file for reading; `nil` if it was removed, was replaced by a link, or is not readable.
    func open() -> MediaFile? {
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        return MediaFile(descriptor: descriptor)
    }

    /// Returns all files below a directory. The files of each directory are in the order of their names. Links are not
    /// followed.
    static func all(below directory: String, most: Int) throws -> [CorpusFile] {
        var files: [CorpusFile] = []
        var directories = [Array(directory.utf8CString)]
        guard let stream = opendir(directory) else {
            throw BenchFailure("\(directory) cannot be read: \(String(cString: strerror(errno)))")
        }
        closedir(stream)
        while let path = directories.popLast(), files.count < most {
            var inner: [[CChar]] = []
            for name in names(in: path).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let path = path.dropLast() + [CChar(UInt8(ascii: "/"))] + name + [0]
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: inner.append(path)
                case S_IFREG where files.count < most:
                    files.append(CorpusFile(path: path, byteCount: Int(status.st_size)))
                default: break
                }
            }
            directories += inner.reversed()
        }
        return files
    }

    /// Returns the names in a directory; empty if the directory is not readable.
    private static func names(in directory: [CChar]) -> [[CChar]] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
            }
            if name != [46], name != [46, 46] { names.append(name) }
        }
        return names
    }
}

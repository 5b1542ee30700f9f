import Foundation
import LinuxIO
import TestSupport

/// A small file system in memory at a directory of a test. Some environments do not permit it.
struct SmallDisk {
    struct NotMade: Error {}

    let path: String
    private var ballast: String { path + "/ballast" }

    static var canBeMade: Bool {
        guard let directory = try? TemporaryDirectory(), let disk = try? SmallDisk(at: directory.path) else {
            return false
        }
        disk.remove()
        return true
    }

    init(at path: String) throws {
        self.path = path
        guard mount("tmpfs", path, "tmpfs", 0, "size=4m") == 0 else { throw NotMade() }
    }

    /// Makes the file system read-only.
    func makeReadOnly() throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "size=4m") == 0 else { throw NotMade() }
    }

    func remove() { umount2(path, CInt(MNT_DETACH)) }

    /// Writes until no space is left.
    func fill() throws {
        let file = open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError.last("open \(ballast)") }
        defer { close(file) }
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
    }

    func free() throws { try FileSystem.remove(ballast) }

    var cachedFiles: [String] {
        let files = FileManager.default.subpaths(atPath: path + "/.cache/bodies") ?? []
        return files.filter { $0.contains("/") }
    }
}

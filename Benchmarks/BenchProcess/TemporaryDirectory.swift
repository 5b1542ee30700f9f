import FoundationEssentials
import Glibc
import LinuxIO

/// A new directory, which is removed with its content when the last reference to it is released.
///
/// The directory is in memory if there is room, because the benchmarks do not compare disks.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(in parent: String? = nil) throws {
        path = "\(parent ?? Self.parent)/bench-\(UUID().uuidString)"
        try FileSystem.makeDirectories(path)
    }

    private static var parent: String {
        var facts = statvfs()
        let hasCapacity = statvfs("/dev/shm", &facts) == 0 && UInt64(facts.f_bavail) * UInt64(facts.f_frsize) > 1 << 30
        return hasCapacity ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

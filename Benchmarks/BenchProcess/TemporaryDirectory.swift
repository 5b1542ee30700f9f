import FoundationEssentials
import Glibc
import LinuxIO

/// A folder that nobody has, removed with all that is in it when its owner lets go of it.
///
/// In memory where there is room, since no disk is compared here.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(in parent: String? = nil) throws {
        path = "\(parent ?? Self.parent)/bench-\(UUID().uuidString)"
        try FileSystem.makeDirectories(path)
    }

    private static var parent: String {
        var facts = statvfs()
        let hasRoom = statvfs("/dev/shm", &facts) == 0 && UInt64(facts.f_bavail) * UInt64(facts.f_frsize) > 1 << 30
        return hasRoom ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

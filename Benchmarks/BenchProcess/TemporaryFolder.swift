import FoundationEssentials
import LinuxIO

/// A folder that nobody has, removed with all that is in it when its owner lets go of it.
///
/// In memory where there is room, since no disk is compared here.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(in parent: String? = nil) throws {
        path = "\(parent ?? Self.parent)/bench-\(UUID().uuidString)"
        try FileSystem.makeFolders(path)
    }

    private static var parent: String {
        let free = try? FileManager.default.attributesOfFileSystem(forPath: "/dev/shm")[.systemFreeSize] as? Int
        return (free ?? 0) > 1 << 30 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

import LinuxIO
import NotificationModel

/// Makes the nameless files that downloads and renditions are written to, on the group's own file system.
actor ScratchFolder {
    private let root: String
    private nonisolated let loop: EventLoop
    private var known: Set<AppGroupName> = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(root: String) throws(SystemError) {
        self.root = root
        loop = try EventLoop.start(name: "agd-scratch")
    }

    nonisolated func shutdown() { loop.shutdown() }

    func file(in group: AppGroupName) async throws(MediaFailure) -> MediaFile {
        let folder = "\(root)/\(group)"
        do throws(SystemError) {
            if known.insert(group).inserted { try FileSystem.makeFolder(folder) }
            return try AnonymousFile.create(in: folder)
        } catch {
            known.remove(group)
            throw MediaFailure(
                error.isOutOfDescriptors ? .overloaded : .storageFailed,
                "no file can be made in the container: \(error)")
        }
    }
}

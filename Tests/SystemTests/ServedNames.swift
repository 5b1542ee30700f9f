import LinuxIO
import NotificationModel

/// Tells the names in a folder: those that are there, and each that is made or moved in later.
actor ServedNames {
    nonisolated let seen = ServedArrivals<String>()
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let folder: String
    private var watch: DirectoryWatcher?

    init(_ folder: String, on loop: EventLoop) {
        self.folder = folder
        self.loop = loop
    }

    func open() throws {
        let seen = seen
        let watch = try DirectoryWatcher(on: loop) { _, event in
            switch event {
            case .folderMade(let name), .movedIn(let name): seen.append(name)
            default: return
            }
        }
        self.watch = watch
        _ = try watch.watch(folder, for: .folders)
        for name in try FileSystem.names(in: folder) { seen.append(name) }
    }

    func close() {
        watch?.close()
        watch = nil
        seen.finish()
    }
}

import LinuxIO
import NotificationModel

/// Tells the names in a folder: those that are there, and each that is made or moved in later.
actor ServedNames {
    nonisolated let seen = ServedArrivals<String>()
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let directory: String
    private var watch: DirectoryWatcher?

    init(_ directory: String, on loop: EventLoop) {
        self.directory = directory
        self.loop = loop
    }

    func open() throws {
        let seen = seen
        let watch = try DirectoryWatcher(on: loop) { _, event in
            switch event {
            case .directoryMade(let name), .movedIn(let name): seen.append(name)
            default: return
            }
        }
        self.watch = watch
        _ = try watch.watch(directory, for: .directories)
        for name in try FileSystem.names(in: directory) { seen.append(name) }
    }

    func close() {
        watch?.close()
        watch = nil
        seen.finish()
    }
}

import LinuxIO
import NotificationModel

/// The names in a directory: the names of existing files, and the names of files that are created or moved there later.
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

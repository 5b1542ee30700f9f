package import LinuxIO
package import NotificationModel

/// The shared container: `ROOT/GROUP/media/ab/abcdef….jpg` and the index beside it.
///
/// In come renditions, as nameless files; out go stored assets, whose bytes and names are on the disk before anybody
/// hears of them. A medium is kept once, under the SHA-256 of its bytes and with the extension of its type, whoever
/// asks for it. What is refused: a group name that is none, and a disk that cannot keep its word (`storage-failed`).
///
/// All durable work runs on the disk's own thread, one thing after the other; nameless files are made on another, so
/// that a download need not wait for somebody's fsync. A request whose deadline passes does not wait for either.
package actor AppGroupStore: MediaStoring {
    private let root: String
    private nonisolated let disk: EventLoop
    private nonisolated let scratch: ScratchFolder
    private var containers: [AppGroupName: AppGroupContainer] = [:]
    private var indexes: [AppGroupName: ContainerIndex] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { disk.asUnownedSerialExecutor() }

    /// Opens a root folder, making it where it does not exist.
    ///
    /// - Throws: when the folder cannot be made or written to.
    package init(root: String) throws(SystemError) {
        try FileSystem.makeFolders(root)
        _ = try AnonymousFile.create(in: root)
        self.root = root
        scratch = try ScratchFolder(root: root)
        do throws(SystemError) { disk = try EventLoop.start(name: "agd-disk") } catch {
            scratch.shutdown()
            throw error
        }
    }

    /// Ends both threads. Called once, when no request is left.
    package nonisolated func shutdown() async {
        await close()
        disk.shutdown()
        scratch.shutdown()
    }

    private func close() { indexes = [:] }

    // MARK: MediaStoring

    package nonisolated func scratchFile(in group: AppGroupName) async throws(MediaFailure) -> MediaFile {
        try await scratch.file(in: group)
    }

    package func store(
        _ renditions: [Rendition], in group: AppGroupName
    ) async throws(MediaFailure) -> [StoredAsset] {
        do throws(SystemError) {
            let container = try container(of: group)
            var assets: [StoredAsset] = []
            for rendition in renditions { assets.append(try container.keep(rendition)) }
            return assets
        } catch {
            throw MediaFailure(.storageFailed, "the container did not take the file: \(error)")
        }
    }

    /// The files are safe without the index, so an index that fails takes no attachment away: it is told afterwards.
    package func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure) {
        do {
            try index(of: group).insert(message)
        } catch {
            throw MediaFailure(.storageFailed, "the index did not take the message: \(error)")
        }
    }

    private func container(of group: AppGroupName) throws(SystemError) -> AppGroupContainer {
        if let container = containers[group] { return container }
        let container = try AppGroupContainer(root: root, group: group)
        containers[group] = container
        return container
    }

    private func index(of group: AppGroupName) throws -> ContainerIndex {
        if let index = indexes[group] { return index }
        let index = try ContainerIndex(path: try container(of: group).folder + "/index.sqlite")
        indexes[group] = index
        return index
    }
}

import Base
import FoundationEssentials
import LinuxIO
import NotificationModel

/// A reader of an outbox that moves each file away as soon as it appears.
///
/// The reader continues when one daemon ends and the next one starts. The contents are in the order of their arrival.
actor ServedOutbox {
    struct Taken: Sendable {
        let id: String
        let content: JSONValue
    }

    nonisolated let taken = ServedArrivals<Taken>()
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let directory: String
    private let place: String
    private var watch: DirectoryWatcher?
    private var count = 0

    /// Creates a reader, which starts with `open`.
    ///
    /// - Parameter directory: The outbox, which must exist.
    /// - Parameter place: The directory to which the files are moved. It is on the same file system.
    init(_ directory: String, movingTo place: String, on loop: EventLoop) {
        self.directory = directory
        self.place = place
        self.loop = loop
    }

    func open() throws {
        let watch = try DirectoryWatcher(on: loop) { [weak self] _, event in self?.assumeIsolated { $0.handle(event) } }
        self.watch = watch
        _ = try watch.watch(directory, for: .files)
        for name in try FileSystem.names(in: directory) { take(name) }
    }

    func close() {
        watch?.close()
        watch = nil
        taken.finish()
    }

    private func handle(_ event: DirectoryEvent) {
        switch event {
        case .movedIn(let name), .closedAfterWriting(let name), .fileMade(let name): take(name)
        default: return
        }
    }

    /// Moves a file away and reads it. If a file is reported twice, the second call finds no file.
    private func take(_ name: String) {
        let path = "\(place)/\(count)-\(name)"
        guard name.hasSuffix(".json"), (try? FileSystem.rename("\(directory)/\(name)", to: path)) != nil else { return }
        count += 1
        let content = (try? FileSystem.contents(of: path)).flatMap { try? JSONParser.value(of: $0) }
        taken.append(Taken(id: String(name.dropLast(5)), content: content ?? .null))
    }

    // MARK: Contents

    /// Waits for the content of a request.
    nonisolated func content(_ id: String) async throws -> JSONValue {
        try await taken.first { $0.id == id }.content
    }
}

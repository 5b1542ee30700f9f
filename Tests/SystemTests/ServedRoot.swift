import Base
import Foundation
import HTTPAPI
import LinuxIO
import NotificationModel
import TestSupport

/// A root on which daemons run one after the other. Tests start, kill and end the daemons.
final class ServedRoot: Sendable {
    let path: String
    let client: DaemonClient
    let loop: EventLoop
    private let directory: TemporaryDirectory
    private let daemons = Guarded<[ServedDaemon]>([])
    private let outboxes = Guarded<[ServedOutbox]>([])
    private let watches = Guarded<[ServedNames]>([])

    private init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/root"
        for name in ["root", "outside"] { try FileSystem.makeDirectory("\(directory.path)/\(name)") }
        try Data().write(to: URL(filePath: directory.path + "/out"))
        client = DaemonClient(socketPath: path + "/appgroupd.sock")
        loop = try EventLoop.start(name: "agd-served")
    }

    /// Calls a function with a root, and ends all processes that the function has started.
    static func withRoot<Value>(_ body: (ServedRoot) async throws -> Value) async throws -> Value {
        let root = try ServedRoot()
        do {
            let value = try await body(root)
            await root.close()
            return value
        } catch {
            await root.close()
            throw error
        }
    }

    private func close() async {
        for daemon in daemons.withLock({ $0 }) where !daemon.hasEnded { try? await daemon.kill() }
        for outbox in outboxes.withLock({ $0 }) { await outbox.close() }
        for watch in watches.withLock({ $0 }) { await watch.close() }
        loop.shutdown()
    }

    // MARK: Daemons

    /// Starts a daemon that may fetch from this machine, and returns when it is ready.
    ///
    /// - Parameter openFiles: The limit of open files. `nil` means the limit of the tests.
    /// - Parameter wrapper: A program with its arguments, which starts the daemon.
    /// - Parameter input: The standard input; `nil` for none.
    func start(
        _ arguments: String..., openFiles: Int? = nil, through wrapper: [String] = [], input: FileHandle? = nil
    ) async throws -> ServedDaemon {
        let daemon = try ServedDaemon(
            [
                "--root", path, "--listen", "none", "--log-format", "json", "--allow-address", "127.0.0.0/8",
            ] + arguments, on: loop, output: directory.path + "/out",
            through: wrapper + (openFiles.map(ProgramRun.openFiles) ?? []), input: input)
        daemons.withLock { $0.append(daemon) }
        try await daemon.log.wait(for: "ready")
        return daemon
    }

    /// The text that the daemons have written to both streams.
    var output: String {
        get throws {
            let lines = daemons.withLock { $0 }.flatMap(\.log.lines.elements)
            return try lines.joined(separator: "\n") + String(contentsOfFile: directory.path + "/out", encoding: .utf8)
        }
    }

    // MARK: Files

    func path(_ place: String, of group: String = "group.default") -> String { "\(path)/\(group)/\(place)" }

    /// Writes a payload file in another directory, and renames the file into `incoming`.
    func drop(_ text: String, as name: String, in group: String = "group.default") throws {
        try drop(Array(text.utf8), as: name, in: group)
    }

    func drop(_ bytes: [UInt8], as name: String, in group: String = "group.default") throws {
        let draft = "\(directory.path)/outside/\(UUID().uuidString)"
        try FileSystem.write(bytes, toFile: draft)
        try FileSystem.rename(draft, to: "\(path("incoming", of: group))/\(name).json")
    }

    /// Returns the sorted names in a directory. The list is empty if the directory does not exist.
    func names(in place: String, of group: String = "group.default") -> [String] {
        ((try? FileSystem.names(in: path(place, of: group))) ?? []).sorted()
    }

    /// Writes a file next to the root, and returns its path.
    func write(_ text: String, as name: String) throws -> String { try directory.write(text, as: name) }

    /// Starts to read an outbox.
    func readOutbox(of group: String = "group.default") async throws -> ServedOutbox {
        let outbox = ServedOutbox(path("outbox", of: group), movingTo: directory.path + "/outside", on: loop)
        outboxes.withLock { $0.append(outbox) }
        try await outbox.open()
        return outbox
    }

    /// Starts to watch the names in a directory of a group. The directory must exist.
    func watchNames(in place: String, of group: String = "group.default") async throws -> ServedNames {
        let names = ServedNames(path(place, of: group), on: loop)
        watches.withLock { $0.append(names) }
        try await names.open()
        return names
    }

    /// Waits until a directory of a group contains a name. The directory of the group must exist.
    func waitForDirectory(_ name: String, of group: String) async throws {
        try await watchNames(in: ".", of: group).seen.first { $0 == name }
    }
}

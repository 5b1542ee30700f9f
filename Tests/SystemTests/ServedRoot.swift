import Foundation
import HTTPAPI
import LinuxIO
import NotificationModel
import TestSupport

/// A root with daemons on it, one after the other: started, killed, ended and started again as their users do.
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

    /// Gives a test a root, and ends what it has started.
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
    /// - Parameter openFiles: the limit of open files; `nil`: that of the tests.
    func start(_ arguments: String..., openFiles: Int? = nil) async throws -> ServedDaemon {
        let daemon = try ServedDaemon(
            [
                "--root", path, "--listen", "none", "--log-format", "json", "--allow-address", "127.0.0.0/8",
            ] + arguments, on: loop, output: directory.path + "/out",
            through: openFiles.map(ProgramRun.openFiles) ?? [])
        daemons.withLock { $0.append(daemon) }
        try await daemon.log.wait(for: "ready")
        return daemon
    }

    /// All that the daemons have written, on both streams.
    var output: String {
        get throws {
            let lines = daemons.withLock { $0 }.flatMap(\.log.lines.elements)
            return try lines.joined(separator: "\n") + String(contentsOfFile: directory.path + "/out", encoding: .utf8)
        }
    }

    // MARK: Files

    func path(_ place: String, of group: String = "group.default") -> String { "\(path)/\(group)/\(place)" }

    /// Writes a payload file elsewhere and renames it into `incoming`.
    func drop(_ text: String, as name: String, in group: String = "group.default") throws {
        try drop(Array(text.utf8), as: name, in: group)
    }

    func drop(_ bytes: [UInt8], as name: String, in group: String = "group.default") throws {
        let draft = "\(directory.path)/outside/\(UUID().uuidString)"
        try FileSystem.write(bytes, toFile: draft)
        try FileSystem.rename(draft, to: "\(path("incoming", of: group))/\(name).json")
    }

    /// Names, sorted; of a folder that is missing none.
    func names(in place: String, of group: String = "group.default") -> [String] {
        ((try? FileSystem.names(in: path(place, of: group))) ?? []).sorted()
    }

    /// A file beside the root.
    func write(_ text: String, as name: String) throws -> String { try directory.write(text, as: name) }

    /// Reads an outbox from now on.
    func readOutbox(of group: String = "group.default") async throws -> ServedOutbox {
        let outbox = ServedOutbox(path("outbox", of: group), movingTo: directory.path + "/outside", on: loop)
        outboxes.withLock { $0.append(outbox) }
        try await outbox.open()
        return outbox
    }

    /// Tells names in a folder of a group's, which exists, from now on.
    func watchNames(in place: String, of group: String = "group.default") async throws -> ServedNames {
        let names = ServedNames(path(place, of: group), on: loop)
        watches.withLock { $0.append(names) }
        try await names.open()
        return names
    }

    /// Returns when there is such a folder in a group's, which exists.
    func waitForDirectory(_ name: String, of group: String) async throws {
        try await watchNames(in: ".", of: group).seen.first { $0 == name }
    }
}

import Base
import Foundation
import Glibc
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

/// Tests of daemons whose sockets a service manager has opened (socket activation).
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServeActivationTests {
    private static let activate = "/usr/bin/systemd-socket-activate"

    /// A shell that passes its standard input as the only socket, as a service manager does.
    private static let passingInput = [
        "/bin/sh", "-c",
        #"exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; exec "$@""#, "sh",
    ]

    @Test func `a daemon that systemd-socket-activate starts answers on a Unix and a TCP socket`() async throws {
        try await ServedRoot.withRoot { root in
            let port = try LoopbackPort.free()
            let client = root.client
            async let first: Int = {
                var status = 0
                // The program binds the sockets a moment after its start, and starts the daemon at the first connection.
                try await wait(for: "an answer over the socket of the manager", atMost: .seconds(60)) {
                    do { status = try await client.request("GET", "/healthz").status } catch is DaemonClientError {}
                    return status != 0
                }
                return status
            }()
            let daemon = try await root.start(
                through: [Self.activate, "-l", root.path + "/appgroupd.sock", "-l", "127.0.0.1:\(port)"])
            #expect(try await first == 200)
            let answer = try await client.post(ServedPayload.text("activated"))
            #expect(answer.status == 200)
            let remote = try await DaemonClient(host: "127.0.0.1", port: Int(port)).request("GET", "/readyz")
            #expect(remote.status == 200)
            #expect(daemon.log.lines.elements.contains { $0.contains("127.0.0.1:\(port)") })
            let end = try await daemon.terminate()
            #expect(end == .init(status: 0, isBySignal: false))
            // The file belongs to the manager.
            #expect(access(root.path + "/appgroupd.sock", F_OK) == 0)
        }
    }

    @Test func `no request is lost while a daemon is started again ten times under load`() async throws {
        try await ServedRoot.withRoot { root in
            let listener = try ActivationSocket(path: root.path + "/appgroupd.sock")
            let load = ActivationLoad(client: root.client)
            let loading = Task { await load.run(callers: 8) }
            for _ in 0..<10 {
                let daemon = try await root.start(through: Self.passingInput, input: listener.handle)
                let before = load.answered
                try await wait(for: "requests to this daemon", atMost: .seconds(60)) { load.answered >= before + 40 }
                let end = try await daemon.terminate()
                #expect(end == .init(status: 0, isBySignal: false))
            }
            let last = try await root.start(through: Self.passingInput, input: listener.handle)
            load.stop()
            await loading.value
            #expect(load.failures == [])
            #expect(load.answered >= 400)
            // Each request was accepted once: its id has one result, with its own text.
            for id in load.ids {
                let result = try await root.client.get(id)
                #expect(result.json["content"]["body"]?.string == id, "\(id)")
            }
            try await last.terminate()
        }
    }

    @Test(arguments: [
        ("exec 3</dev/null", "descriptor 3 is not a socket: pass sockets with ListenStream=")
    ]) func `a daemon refuses a descriptor that is no listening socket`(_ prepare: String, _ words: String) async throws
    {
        let directory = try TemporaryDirectory()
        let script = "\(prepare); LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; exec \"$@\""
        let run = try await ProgramRun.appgroupd(
            ["serve", "--root", directory.path + "/root", "--listen", "none"], through: ["/bin/sh", "-c", script, "sh"])
        #expect(run.status == 2)
        #expect(run.errors == ["appgroupd: \(words)"])
    }

    @Test func `a daemon refuses a socket at another path than that of its configuration`() async throws {
        let directory = try TemporaryDirectory()
        let listener = try ActivationSocket(path: directory.path + "/other.sock")
        let errors = directory.path + "/err"
        try Data().write(to: URL(filePath: errors))
        let line = Self.passingInput + [BuiltProducts.appgroupd, "serve", "--root", directory.path + "/root"]
        let process = ParentBoundCommand(line[0], Array(line.dropFirst())).process()
        process.standardInput = listener.handle
        process.standardError = FileHandle(forWritingAtPath: errors)
        let ending = Ending()
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        await ending.wait()
        #expect(process.terminationStatus == 2)
        let text = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(text.contains("other.sock is not the socket of the configuration"), "\(text)")
    }
}

/// A listening Unix socket that stays open while daemons come and go.
private final class ActivationSocket: Sendable {
    let handle: FileHandle

    init(path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isListening = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 128) == 0
            }
        }
        try #require(isListening)
    }
}

/// Callers that send one request after the other, each on a connection of its own, and count the answers.
private final class ActivationLoad: Sendable {
    private struct State {
        var ids: [String] = []
        var failures: [String] = []
        var isStopped = false
    }

    private let client: DaemonClient
    private let state = Guarded(State())

    init(client: DaemonClient) { self.client = client }

    /// The ids of the requests with an answer.
    var ids: [String] { state.withLock { $0.ids } }
    var answered: Int { ids.count }
    var failures: [String] { state.withLock { $0.failures } }

    func stop() { state.withLock { $0.isStopped = true } }

    func run(callers: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<callers { group.addTask { await self.call(from: caller) } }
        }
    }

    private func call(from caller: Int) async {
        var number = 0
        while !state.withLock({ $0.isStopped }) {
            number += 1
            let id = "c\(caller)-\(number)"
            do {
                let answer = try await client.post(ServedPayload.text(id), ["idempotency-key": id])
                let isRight = answer.status == 200 && answer.json["content"]["body"]?.string == id
                state.withLock { state in
                    if isRight { state.ids.append(id) } else { state.failures.append("\(id): \(answer.status)") }
                }
            } catch {
                state.withLock { $0.failures.append("\(id): \(error)") }
            }
        }
    }
}

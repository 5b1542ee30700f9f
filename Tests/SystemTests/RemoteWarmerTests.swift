import Base
import Foundation
import Glibc
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import appgroupd

/// Tests of `warm --via` with a daemon that is gone or silent.
@Suite(.timeLimit(.minutes(1))) struct RemoteWarmerTests {
    private let root: TemporaryDirectory
    private let clock = ManualClock()
    private let item = WarmItem(
        .url("https://a.example/1.jpg"), profiles: [.ios], appGroup: .default, place: "a:1", host: "a.example")

    init() throws { root = try TemporaryDirectory() }

    private func warmer(at path: String, _ interruption: AsyncEvent = AsyncEvent()) -> RemoteWarmer {
        RemoteWarmer(
            client: DaemonClient(socketPath: path), watch: DaemonWatch(patience: .seconds(60), clock: clock),
            interruption: interruption)
    }

    @Test func `an item fails as overloaded if no daemon runs, and the host of the item is not paused`()
        async throws
    {
        let outcome = await warmer(at: "\(root.path)/none.sock").warm(item, budget: .seconds(1))
        let item = try #require(outcome.media.first)
        #expect(item.failure?.reason == .overloaded)
        #expect(item.retryAfter == nil)
    }

    @Test func `a daemon that does not respond for a minute counts as lost`() async throws {
        let warmer = warmer(at: "\(root.path)/none.sock")
        _ = await warmer.warm(item, budget: .seconds(1))
        clock.advance(by: .seconds(59))
        _ = await warmer.warm(item, budget: .seconds(1))
        #expect(!warmer.watch.loss.isSignalled)
        clock.advance(by: .seconds(1))
        _ = await warmer.warm(item, budget: .seconds(1))
        #expect(warmer.watch.loss.isSignalled)
    }

    @Test func `a response of the daemon restarts the minute after which the daemon counts as lost`() {
        let watch = DaemonWatch(patience: .seconds(60), clock: clock)
        watch.noteAbsence(since: clock.now)
        clock.advance(by: .seconds(59))
        watch.noteAnswer()
        watch.noteAbsence(since: clock.now)
        clock.advance(by: .seconds(59))
        watch.noteAbsence(since: clock.now)
        #expect(!watch.loss.isSignalled)
    }

    @Test func `the minute without a response starts at the call or at a later response to another call`() {
        let watch = DaemonWatch(patience: .seconds(60), clock: clock)
        let start = clock.now
        clock.advance(by: .seconds(30))
        watch.noteAnswer()
        clock.advance(by: .seconds(30))
        watch.noteAbsence(since: start)
        #expect(!watch.loss.isSignalled)
        clock.advance(by: .seconds(30))
        watch.noteAbsence(since: start)
        #expect(watch.loss.isSignalled)
    }

    @Test func `a silent server counts as lost after a minute, and the item fails as overloaded`() async throws {
        let server = try SilentServer(in: root)
        let warmer = warmer(at: server.path)
        async let warming = warmer.warm(item, budget: .seconds(1))
        await clock.waitForSleepers(1)
        #expect(!warmer.watch.loss.isSignalled)
        clock.advance(by: .seconds(60))
        let outcome = await warming
        #expect(outcome.media.first?.failure?.reason == .overloaded)
        #expect(warmer.watch.loss.isSignalled)
    }

    @Test func `an interruption ends a call that has no response`() async throws {
        let server = try SilentServer(in: root)
        let interruption = AsyncEvent()
        let warmer = warmer(at: server.path, interruption)
        async let warming = warmer.warm(item, budget: .seconds(1))
        await clock.waitForSleepers(1)
        interruption.signal()
        let outcome = await warming
        #expect(outcome.media.first?.failure?.reason == .overloaded)
        #expect(!warmer.watch.loss.isSignalled)
    }

    @Test func `warm ends after --give-up or SIGINT if the server never responds`() async throws {
        let server = try SilentServer(in: root)
        let source = try root.write("https://a.example/1.jpg\n", as: "urls.txt")
        let run = try await ProgramRun.appgroupd(
            "warm", "--via", server.path, "--root", root.path, "--give-up", "200ms", source)
        #expect(run.status == 1)
        #expect(
            run.errors.last == "appgroupd: --via \(server.path): the daemon has not answered for 200 ms",
            "\(run.errors)")
        let streams = try TemporaryDirectory()
        let second = try SilentServer(in: streams)
        let (process, ending) = try ProgramRun.start(
            ["warm", "--via", second.path, "--root", root.path, source], in: streams)
        await second.acceptConnection()
        process.interrupt()
        await ending.wait()
        #expect(process.terminationStatus == 130)
        let wrong = try await ProgramRun.appgroupd("warm", "--root", root.path, "--give-up", "1s", source)
        #expect(wrong.status == 2)
    }
}

/// A server on a unix socket that accepts connections and never answers.
private final class SilentServer: Sendable {
    let path: String
    private let descriptor: Int32

    init(in directory: TemporaryDirectory) throws {
        path = "\(directory.path)/silent.sock"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(descriptor, 16) == 0)
    }

    /// Waits for a connection of the command, which stays open until the end of the test.
    @concurrent func acceptConnection() async { _ = accept(descriptor, nil, nil) }

    deinit { close(descriptor) }
}

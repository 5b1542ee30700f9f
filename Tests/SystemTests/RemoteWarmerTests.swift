import HTTPAPI
import NotificationModel
import TestSupport
import Testing
import Warming

@testable import appgroupd

/// `warm --via` while the daemon is gone.
@Suite(.timeLimit(.minutes(1))) struct RemoteWarmerTests {
    private let root: TemporaryDirectory
    private let clock = ManualClock()
    private let item = WarmItem(
        .url("https://a.example/1.jpg"), profiles: [.ios], appGroup: .default, place: "a:1", host: "a.example")

    init() throws { root = try TemporaryDirectory() }

    private func warmer(at path: String) -> RemoteWarmer {
        RemoteWarmer(client: DaemonClient(socketPath: path), watch: DaemonWatch(clock: clock))
    }

    @Test func `a daemon that is gone is overloaded, and asks no origin for a pause`() async throws {
        let outcome = await warmer(at: "\(root.path)/none.sock").warm(item, budget: .seconds(1))
        let medium = try #require(outcome.media.first)
        #expect(medium.failure?.reason == .overloaded)
        #expect(medium.retryAfter == nil)
    }

    @Test func `a daemon that is gone for a minute is lost`() async throws {
        let warmer = warmer(at: "\(root.path)/none.sock")
        _ = await warmer.warm(item, budget: .seconds(1))
        clock.advance(by: .seconds(59))
        _ = await warmer.warm(item, budget: .seconds(1))
        #expect(!warmer.watch.loss.isSignalled)
        clock.advance(by: .seconds(1))
        _ = await warmer.warm(item, budget: .seconds(1))
        #expect(warmer.watch.loss.isSignalled)
    }

    @Test func `an answer of the daemon begins the minute again`() {
        let watch = DaemonWatch(clock: clock)
        watch.noteAbsence()
        clock.advance(by: .seconds(59))
        watch.noteAnswer()
        watch.noteAbsence()
        clock.advance(by: .seconds(59))
        watch.noteAbsence()
        #expect(!watch.loss.isSignalled)
    }
}

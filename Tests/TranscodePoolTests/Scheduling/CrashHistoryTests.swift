import Base
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of the time for which files and hosts are blocked after crashes of workers. Each test passes the current
/// time to the history.
struct CrashHistoryTests {
    private let start = MonotonicInstant.now
    private let host = CrashHistory.Origin(TranscodeFlow(group: .default, host: "a.example"))

    private func file(_ number: Int, byteCount: Int = 100) -> CrashHistory.File {
        CrashHistory.File(digest: [UInt8(number / 256), UInt8(number % 256)], byteCount: byteCount)
    }

    @Test func `a file that crashed a worker is blocked for an hour`() {
        var history = CrashHistory()
        #expect(!history.mayCoolDown(100))
        history.note(file(1), from: host, at: start)
        #expect(history.mayCoolDown(100))
        #expect(history.cooldown(of: file(1), at: start + .seconds(3_599)) == .seconds(1))
        #expect(history.cooldown(of: file(1), at: start + .seconds(3_600)) == nil)
    }

    @Test func `a different file is not blocked, and no digest is needed for a file of another size`() {
        var history = CrashHistory()
        history.note(file(1), from: host, at: start)
        #expect(history.cooldown(of: file(2), at: start) == nil)
        #expect(!history.mayCoolDown(101))
    }

    @Test func `a host is blocked for five minutes after three of its files crash workers within ten minutes`() {
        var history = CrashHistory()
        history.note(file(1), from: host, at: start)
        history.note(file(2), from: host, at: start + .seconds(300))
        #expect(history.cooldown(of: host, at: start + .seconds(300)) == nil)
        history.note(file(3), from: host, at: start + .seconds(599))
        #expect(history.cooldown(of: host, at: start + .seconds(600)) == .seconds(299))
        #expect(history.cooldown(of: host, at: start + .seconds(899)) == nil)
    }

    @Test func `a host is blocked only in the app group whose requests named it`() throws {
        var history = CrashHistory()
        for number in 1...3 { history.note(file(number), from: host, at: start) }
        let other = try #require(AppGroupName("group.other"))
        #expect(history.cooldown(of: host, at: start) != nil)
        #expect(history.cooldown(of: .init(TranscodeFlow(group: other, host: "a.example")), at: start) == nil)
        #expect(history.cooldown(of: .init(TranscodeFlow(group: .default, host: "b.example")), at: start) == nil)
    }

    @Test func `a host is not blocked after three crashes by one file or by three files in over ten minutes`() {
        var history = CrashHistory()
        for _ in 1...3 { history.note(file(1), from: host, at: start) }
        #expect(history.cooldown(of: host, at: start) == nil)
        history.note(file(2), from: host, at: start + .seconds(601))
        history.note(file(3), from: host, at: start + .seconds(602))
        #expect(history.cooldown(of: host, at: start + .seconds(602)) == nil)
    }

    @Test func `media items in the payload do not block a host`() {
        #expect(
            CrashHistory.Origin(TranscodeFlow(priority: 10, group: .default, url: "data:image/png;base64,AA")) == nil)
        #expect(CrashHistory.Origin(TranscodeFlow(group: .default, host: "")) == nil)
    }

    @Test func `a full history of crashing files removes the oldest file`() {
        var history = CrashHistory()
        for number in 0..<4_100 {
            history.note(file(number), from: host, at: start + .milliseconds(Int64(number)))
        }
        let now = start + .seconds(6)
        #expect(history.cooldown(of: file(0), at: now) == nil)
        #expect(history.cooldown(of: file(4_099), at: now) != nil)
        #expect((0..<4_100).count { history.cooldown(of: file($0), at: now) != nil } == 4_096)
    }

    @Test func `a full history of blocked hosts removes the host whose block ends first`()
        throws
    {
        var history = CrashHistory()
        let hosts = (0..<4_100).map { CrashHistory.Origin(TranscodeFlow(group: .default, host: "\($0).example")) }
        for (number, host) in hosts.enumerated() {
            for name in 1...3 { history.note(file(name), from: host, at: start + .milliseconds(Int64(number))) }
        }
        let now = start + .seconds(6)
        #expect(history.cooldown(of: hosts[0], at: now) == nil)
        #expect(history.cooldown(of: hosts[4_099], at: now) != nil)
        #expect(hosts.count { history.cooldown(of: $0, at: now) != nil } == 4_096)
    }
}

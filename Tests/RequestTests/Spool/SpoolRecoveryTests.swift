import Base
import FoundationEssentials
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of files that an earlier daemon has left in `claimed`.
@Suite(.timeLimit(.minutes(1)))
struct SpoolRecoveryTests {
    private let bench: SpoolBench

    init() throws {
        bench = try SpoolBench(clock: ManualClock(date: Date() + 100))
        try bench.makeDirectories()
    }

    /// Returns the time of a file's last change, in RFC 3339 with nanoseconds.
    private func stamp(of path: String) throws -> String {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        let seconds = Date(timeIntervalSince1970: Double(status.st_ctim.tv_sec)).formatted(Date.ISO8601FormatStyle())
        let digits = "\(1_000_000_000 + status.st_ctim.tv_nsec)".dropFirst()
        return "\(seconds.dropLast()).\(digits)Z"
    }

    @Test func `claimed files are submitted again with the time of their claim`() async throws {
        try bench.write(#"{"a":1}"#, to: "incoming/x.json")
        try FileSystem.move(bench.path("incoming/x.json"), to: bench.path("claimed/x.json"))
        let date = try FileSystem.look(at: bench.path("claimed/x.json")).changeDate
        try await bench.run { await bench.coordinator.waitForSubmissions(1) }
        let submission = try #require(bench.coordinator.submissions.first)
        #expect(submission.object == ["a": 1] && submission.weakID?.description == "x")
        #expect(submission.arrival.date == date)
        let age = submission.arrival.instant.duration(to: bench.clock.now).seconds
        #expect(abs(age - bench.clock.date.timeIntervalSince(date)) < 0.001)
        #expect(age > 90)
        #expect(try bench.names("claimed") == ["x.json"])
    }

    @Test(arguments: [true, false])
    func `a journaled file is left in claimed, and another file with its id is rejected`(
        _ isJoined: Bool
    ) async throws {
        bench.coordinator.answer { isJoined ? .joined(FakeCoordinator.key($0)) : .conflict(FakeCoordinator.key($0)) }
        for name in ["x", "y"] { try bench.write(to: "claimed/\(name).json") }
        let key = RequestKey(group: .default, id: try #require(RequestID("x")))
        try await bench.run(journaled: [key: .spool(fileName: "x.json")]) {
            try await bench.waitFor("rejected") { $0.contains("y.json") }
        }
        #expect(try bench.names("claimed") == ["x.json"])
        #expect(bench.coordinator.fileNames == ["y.json"], "a journaled file is not submitted again")
        #expect(try bench.reason("y")["reason"] == "duplicate-id")
        #expect(try bench.names("incoming").isEmpty)
    }

    @Test func `recovered claims are submitted before new files, and each file is submitted once`() async throws {
        for number in 0..<300 {
            try bench.write(to: "claimed/old-\(number).json")
            try bench.write(to: "incoming/new-\(number).json")
        }
        try await bench.run { await bench.coordinator.waitForSubmissions(600) }
        #expect(bench.coordinator.fileNames.count == 600 && Set(bench.coordinator.fileNames).count == 600)
        #expect(bench.coordinator.fileNames.prefix(200).allSatisfy { $0.hasPrefix("old-") })
    }

    @Test func `an unusable claimed file is rejected, and the spool leaves other files in claimed`() async throws {
        try bench.write("no", to: "claimed/x.json")
        try bench.write("no", to: "claimed/notes.txt")
        symlink("/etc/hostname", bench.path("claimed/link.json"))
        try await bench.run {
            try await bench.waitFor("rejected") { $0.contains("x.json") && $0.contains("link.json") }
        }
        #expect(try bench.names("claimed") == ["notes.txt"])
        #expect(try bench.reason("link")["problem"] == "it is a symbolic link")
        #expect(try FileSystem.look(at: bench.path("rejected/link.json")).kind == .symbolicLink)
    }

    @Test(arguments: ["closing", "full", "failed"])
    func `a recovered claim that the coordinator refuses is left in claimed, with the same time of change`(
        _ answer: String
    ) async throws {
        bench.coordinator.answer { _ in
            switch answer {
            case "closing": .closing
            case "full": .full(retryAfter: .seconds(1))
            default: .failed("the disk is full")
            }
        }
        try bench.write(to: "claimed/x.json")
        let date = try FileSystem.look(at: bench.path("claimed/x.json")).changeDate
        try await bench.run {
            await bench.coordinator.waitForSubmissions(1)
            if answer != "closing" { try await bench.turn(until: 2) }
        }
        #expect(try FileSystem.look(at: bench.path("claimed/x.json")).changeDate == date)
        #expect(try bench.names("incoming").isEmpty)
    }

    @Test func `a restart finishes an interrupted rejection`() async throws {
        try bench.write("no", to: "claimed/x.json")
        try bench.write("earlier", to: "rejected/x.json")
        try bench.write("{}", to: "rejected/x.error.json")
        let reason = #"{"file":"x.json","arrivedAt":"\#(try stamp(of: bench.path("claimed/x.json")))","old":true}"#
        try bench.write(reason, to: "rejected/x.2.error.json")
        try await bench.run { try await bench.waitFor("rejected") { $0.contains("x.2.json") } }
        #expect(try bench.reason("x.2")["old"] == true)
        #expect(try FileSystem.contents(of: bench.path("rejected/x.2.json")) == Array("no".utf8))
        #expect(try bench.names("rejected").count == 4 && bench.names("claimed").isEmpty)
    }

    @Test(arguments: [
        #"{"file":"x.json","arrivedAt":"2026-01-01T00:00:00.000000000Z"}"#, #"{"file":"x.json"}"#, "no JSON", "",
    ])
    func `a reason file that belongs to another file is ignored`(_ reason: String) async throws {
        try bench.write(to: "claimed/x.json")
        try bench.write(reason, to: "rejected/x.error.json")
        try await bench.run { await bench.coordinator.waitForSubmissions(1) }
        #expect(try bench.names("claimed") == ["x.json"])
        #expect(try bench.names("rejected") == ["x.error.json"])
    }
}

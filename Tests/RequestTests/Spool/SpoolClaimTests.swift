import Base
import FoundationEssentials
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

@Suite(.timeLimit(.minutes(1)))
struct SpoolClaimTests {
    private let bench: SpoolBench

    init() throws { bench = try SpoolBench() }

    @Test func `a file that is written and closed is claimed and submitted`() async throws {
        try await bench.run {
            try bench.write(#"{"aps":{}}"#, to: "incoming/order-7.json")
            await bench.coordinator.waitForSubmissions(1)
            #expect(try bench.names("incoming").isEmpty)
            #expect(try bench.names("claimed") == ["order-7.json"])
        }
        let submission = try #require(bench.coordinator.submissions.first)
        #expect(submission.body == Array(#"{"aps":{}}"#.utf8))
        #expect(submission.object == ["aps": [:]])
        #expect(submission.channel == .spool(fileName: "order-7.json"))
        #expect(submission.group == .default)
        #expect(submission.weakID?.description == "order-7")
        #expect(submission.id == nil && submission.budget == nil)
        #expect(submission.arrival == ClockReading(instant: bench.clock.now, date: bench.clock.date))
        #expect(try bench.names("claimed") == ["order-7.json"], "the file stays until the result is published")
    }

    @Test func `only a large file is submitted in the executor of large payloads`() async throws {
        let lane = OwnThreadExecutor()
        let inLane = Guarded<[String]>([])
        bench.coordinator.answer { submission in
            let key = FakeCoordinator.key(submission)
            if lane.isCurrent { inLane.withLock { $0.append(key.id.description) } }
            return .accepted(key)
        }
        try await bench.run(large: LargePayloadExecutor(lane)) {
            let padding = String(repeating: " ", count: LargePayloadExecutor.threshold - 1)
            for (name, text) in [("small", "{\(padding.dropFirst())}"), ("large", "{\(padding)}")] {
                try bench.write(text, to: "incoming/\(name).json")
            }
            await bench.coordinator.waitForSubmissions(2)
        }
        #expect(inLane.withLock(\.self) == ["large"])
    }

    @Test func `files that are renamed or linked into incoming are claimed`() async throws {
        for name in ["moved", "linked"] { try FileSystem.write(Array("{}".utf8), toFile: "\(bench.root)/\(name)") }
        try await bench.run {
            try FileSystem.move("\(bench.root)/moved", to: bench.path("incoming/moved.json"))
            try #require(link("\(bench.root)/linked", bench.path("incoming/linked.json")) == 0)
            await bench.coordinator.waitForSubmissions(2)
        }
        #expect(bench.coordinator.fileNames.sorted() == ["linked.json", "moved.json"])
    }

    @Test func `a nameless file that gets its name before it is closed is claimed`() async throws {
        try await bench.run {
            let writer = try AnonymousFile.create(in: bench.path("incoming"))
            try FileSystem.write(Array("{}".utf8)[...], to: writer.descriptor)
            try AnonymousFile.link(writer, to: bench.path("incoming/late.json"))
            try bench.write(to: "incoming/other.json")
            await bench.coordinator.waitForSubmissions(1)
            #expect(bench.coordinator.fileNames == ["other.json"])
            withExtendedLifetime(writer) {}
        }
        try FileSystem.remove(bench.path("claimed/other.json"))
        try await bench.run {
            try await bench.turn { bench.coordinator.fileNames.contains("late.json") }
        }
    }

    @Test func `files that existed before the start are claimed`() async throws {
        try bench.makeDirectories()
        for name in ["a", "b c", "ümläut", "line\nbreak"] { try bench.write(to: "incoming/\(name).json") }
        try await bench.run { await bench.coordinator.waitForSubmissions(4) }
        #expect(bench.coordinator.fileNames.sorted() == ["a.json", "b c.json", "line\nbreak.json", "ümläut.json"])
        let named = bench.coordinator.submissions.filter { $0.weakID != nil }
        #expect(named.map(\.weakID?.description) == ["a"], "the other names are not valid ids")
    }

    @Test(arguments: [false, true])
    func `a file is not claimed before its writer has closed it`(_ isBefore: Bool) async throws {
        try bench.makeDirectories()
        func open() -> Int32 { Glibc.open(bench.path("incoming/slow.json"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        let early = isBefore ? open() : -1
        try await bench.run {
            let writer = isBefore ? early : open()
            try FileSystem.write(Array(#"{"a":"#.utf8)[...], to: writer)
            try bench.write(to: "incoming/quick.json")
            await bench.coordinator.waitForSubmissions(1)
            try FileSystem.write(Array("1}".utf8)[...], to: writer)
            close(writer)
            await bench.coordinator.waitForSubmissions(2)
        }
        #expect(bench.coordinator.fileNames == ["quick.json", "slow.json"])
        #expect(bench.coordinator.submissions.last?.object == ["a": 1])
    }

    @Test func `a file without a payload name is left in incoming`() async throws {
        try bench.makeDirectories()
        symlink("/etc/hostname", bench.path("incoming/link.json"))
        mkfifo(bench.path("incoming/fifo.json"), 0o600)
        try FileSystem.makeDirectory(bench.path("incoming/folder.json"))
        for name in [".hidden.json", "a.json.part", "a.txt", "a.JSON", ".json"] {
            try bench.write(to: "incoming/\(name)")
        }
        let before = try bench.names("incoming")
        try await bench.run {
            try bench.write(to: "incoming/last.json")
            await bench.coordinator.waitForSubmissions(1)
        }
        #expect(try bench.names("incoming") == before)
        #expect(bench.coordinator.fileNames == ["last.json"])
        #expect(try bench.names("rejected").isEmpty)
    }

    @Test func `a file that is removed before it is claimed causes no error`() async throws {
        try await bench.run {
            for number in 0..<200 {
                try bench.write(to: "incoming/gone-\(number).json")
                try? FileSystem.remove(bench.path("incoming/gone-\(number).json"))
            }
            try bench.write(to: "incoming/last.json")
            try await bench.waitFor("claimed") { $0.contains("last.json") }
        }
        #expect(try bench.names("rejected").isEmpty)
    }

    @Test func `a name can be used again after its file was removed`() async throws {
        try await bench.run {
            for round in 1...3 {
                try bench.write("{\"round\":\(round)}", to: "incoming/same.json")
                await bench.coordinator.waitForSubmissions(round)
                try FileSystem.remove(bench.path("claimed/same.json"))
            }
        }
        #expect(bench.coordinator.submissions.map { $0.object["round"]?.integer } == [1, 2, 3])
    }

    @Test func `the spool submits all of many files, and limits the concurrent submissions`() async throws {
        try bench.makeDirectories()
        for number in 0..<3_000 { try bench.write(to: "incoming/\(number).json") }
        bench.coordinator.answer { submission in
            await Task.yield()
            return .accepted(FakeCoordinator.key(submission))
        }
        var limits = SpoolLimits()
        limits.inFlight = 8
        limits.names = 10
        try await bench.run(limits: limits) {
            for number in 3_000..<3_500 { try bench.write(to: "incoming/\(number).json") }
            await bench.coordinator.waitForSubmissions(3_500)
        }
        #expect(Set(bench.coordinator.fileNames).count == 3_500)
        #expect(bench.coordinator.submissions.count == 3_500)
        #expect(bench.coordinator.maxAtOnce <= 8)
        #expect(try bench.names("incoming").isEmpty)
    }

    @Test func `groups take turns in claiming files`() async throws {
        for group in ["a", "b"] { try bench.makeDirectories(of: group) }
        for number in 0..<500 { try bench.write(to: "incoming/\(number).json", in: "a") }
        try bench.write(to: "incoming/only.json", in: "b")
        var limits = SpoolLimits()
        limits.inFlight = 2
        try await bench.run(limits: limits) { await bench.coordinator.waitForSubmissions(501) }
        let place = try #require(bench.coordinator.fileNames.firstIndex(of: "only.json"))
        #expect(place < 10)
    }
}

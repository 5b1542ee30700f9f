import Base
import NotificationModel
import Testing

@testable import RequestCoordinator

@Suite(.timeLimit(.minutes(1)))
struct SpoolServedGroupTests {
    private let bench: SpoolBench
    private let first: AppGroupName
    private let second: AppGroupName

    init() throws {
        bench = try SpoolBench()
        first = try #require(AppGroupName("group.a"))
        second = try #require(AppGroupName("group.b"))
    }

    @Test func `a group that is added is served at once, and a group that is removed is not served any more`()
        async throws
    {
        try bench.makeDirectories(of: "group.b")
        try bench.write(to: "incoming/waiting.json", in: "group.b")
        try await bench.run(
            groups: ServedGroups(named: [first], isOpen: false),
            calling: { spool in
                try bench.write(to: "incoming/1.json", in: "group.a")
                await bench.coordinator.waitForSubmissions(1)
                spool.change(ServedGroups(named: [second], isOpen: false))
                try await bench.turn(until: 2)
                try bench.write(to: "incoming/2.json", in: "group.a")
                try bench.write(to: "incoming/3.json", in: "group.b")
                try await bench.turn(until: 3)
                #expect(bench.coordinator.fileNames == ["1.json", "waiting.json", "3.json"])
                #expect(try bench.names("incoming", in: "group.a") == ["2.json"])
                spool.change(.all)
                // The claimed file of the group is submitted again, before or after the waiting one.
                try await bench.turn { bench.coordinator.fileNames.contains("2.json") }
            })
    }

    /// A group that has too many unfinished requests must not delay the files of others.
    @Test func `the files of a full group wait in incoming, and other files are claimed`() async throws {
        let full = first
        bench.coordinator.answer { submission in
            submission.group == full ? .groupFull(retryAfter: .seconds(1)) : .accepted(FakeCoordinator.key(submission))
        }
        try bench.makeDirectories(of: "group.a")
        try await bench.run {
            for number in 0..<5 { try bench.write(to: "incoming/a-\(number).json", in: "group.a") }
            await bench.coordinator.waitForSubmissions(1)
            for number in 0..<20 { try bench.write(to: "incoming/\(number).json") }
            try await bench.turn { Set(bench.coordinator.fileNames).count { !$0.hasPrefix("a-") } == 20 }
            try await bench.waitForNames(5, in: "incoming", of: "group.a")
            bench.coordinator.answer { .accepted(FakeCoordinator.key($0)) }
            try await bench.turn { try bench.names("claimed", in: "group.a").count == 5 }
        }
    }
}

import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests with fewer watches than directories. The groups without a watch are checked every second.
@Suite(.timeLimit(.minutes(1)))
struct SpoolWatchTests {
    private let bench: SpoolBench
    /// The number of watches is enough for the root and the default group.
    private let limits: SpoolLimits

    init() throws {
        bench = try SpoolBench()
        var limits = SpoolLimits()
        limits.watches = 3
        self.limits = limits
    }

    /// Runs the spool during the body, which receives it.
    private func run(_ body: (Spool) async throws -> Void) async throws {
        let spool = try bench.spool(limits: limits)
        try await spool.prepare()
        let running = Task { await spool.run() }
        do { try await body(spool) } catch {
            running.cancel()
            await running.value
            throw error
        }
        running.cancel()
        await running.value
    }

    private func drop(_ name: String, in group: String) throws {
        try bench.write(to: ".\(name)", in: group)
        try FileSystem.move(bench.path(".\(name)", in: group), to: bench.path("incoming/\(name).json", in: group))
    }

    @Test func `files of a group without a watch are found repeatedly`() async throws {
        for name in ["a", "b"] { try bench.makeDirectories(of: name) }
        try drop("before", in: "a")
        try await run { spool in
            try await bench.turn(until: 1)
            #expect(spool.scannedGroups == 2)
            for number in 2...4 {
                try drop("\(number)", in: number.isMultiple(of: 2) ? "b" : "a")
                try await bench.turn(until: number)
            }
            // The default group has its watches.
            try drop("default", in: "group.default")
            await bench.coordinator.waitForSubmissions(5)
        }
        #expect(bench.coordinator.fileNames == ["before.json", "2.json", "3.json", "4.json", "default.json"])
    }

    @Test func `a file in a group without a watch is claimed after it is closed`() async throws {
        try bench.makeDirectories(of: "a")
        try await run { spool in
            try await bench.turn { spool.scannedGroups == 1 }
            let writer = open(bench.path("incoming/x.json", in: "a"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            try FileSystem.write(Array("{".utf8)[...], to: writer)
            for number in 1...3 {
                try drop("\(number)", in: "a")
                try await bench.turn(until: number)
            }
            try FileSystem.write(Array("}".utf8)[...], to: writer)
            close(writer)
            try await bench.turn(until: 4)
        }
        #expect(bench.coordinator.fileNames.last == "x.json")
        #expect(bench.coordinator.submissions.last?.body == Array("{}".utf8))
    }

    @Test
    func `a group without a watch is found when incoming exists, and is removed when it is deleted`()
        async throws
    {
        try await run { spool in
            try FileSystem.makeDirectories("\(bench.root)/g/media")
            try await bench.turn { spool.scannedGroups == 1 }
            try FileSystem.makeDirectory("\(bench.root)/g/incoming")
            try drop("x", in: "g")
            try await bench.turn(until: 1)
            try FileManager.default.removeItem(atPath: "\(bench.root)/g")
            try await bench.turn { spool.scannedGroups == 0 }
        }
    }

    @Test func `a group gets watches when the watches of a deleted group become free`() async throws {
        try bench.makeDirectories(of: "a")
        try await run { spool in
            try await bench.turn { spool.scannedGroups == 1 }
            // The two watches of this group become free, and the directory is not created again.
            try FileManager.default.removeItem(atPath: "\(bench.root)/group.default")
            try await bench.turn { spool.scannedGroups == 0 }
            try drop("x", in: "a")
            await bench.coordinator.waitForSubmissions(1)
        }
    }

    @Test func `new groups are found although the root has no watch`() async throws {
        var limits = limits
        limits.watches = 0
        let spool = try bench.spool(limits: limits)
        try await spool.prepare()
        let running = Task { await spool.run() }
        try await bench.turn { spool.scannedGroups == 1 }
        try bench.makeDirectories(of: "late")
        try drop("x", in: "late")
        try await bench.turn(until: 1)
        #expect(spool.scannedGroups == 2)
        running.cancel()
        await running.value
    }

    @Test func `all groups are read although only some of their directories may be open`() async throws {
        for group in 0..<20 {
            try bench.makeDirectories(of: "g\(group)")
            for number in 0..<260 { try drop("n\(group)-\(number)", in: "g\(group)") }
        }
        try await run { _ in try await bench.turn(until: 5_200) }
        #expect(Set(bench.coordinator.fileNames).count == 5_200)
    }

    @Test func `many groups without a watch are found, some of them in each scan`() async throws {
        for number in 0..<300 {
            try bench.makeDirectories(of: "g\(number)")
            try drop("n\(number)", in: "g\(number)")
        }
        try await run { spool in
            try await bench.turn(until: 300)
            #expect(spool.scannedGroups == 300)
            for number in 0..<300 { try drop("m\(number)", in: "g\(number)") }
            try await bench.turn(until: 600)
        }
        #expect(Set(bench.coordinator.fileNames).count == 600)
    }
}

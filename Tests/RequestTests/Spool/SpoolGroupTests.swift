import FoundationEssentials
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

@Suite(.timeLimit(.minutes(1)))
struct SpoolGroupTests {
    private static let directories = ["claimed", "incoming", "outbox", "rejected"]
    private let bench: SpoolBench

    init() throws { bench = try SpoolBench() }

    private func group(_ name: String) throws -> AppGroupName { try #require(AppGroupName(name)) }

    /// Submits a file that the spool checks after all earlier files.
    private func dropLast(_ count: Int) async throws {
        try bench.write(to: "incoming/last.json")
        await bench.coordinator.waitForSubmissions(count)
    }

    @Test func `the directories of the default group exist before the spool runs`() async throws {
        let spool = try bench.spool()
        try await spool.prepare()
        #expect(try FileSystem.names(in: "\(bench.root)/group.default").sorted() == Self.directories)
        #expect(try FileSystem.names(in: bench.root) == ["group.default"])
        spool.loop.shutdown()
    }

    @Test func `a file that is written between the preparation and the run of the spool is claimed`() async throws {
        let spool = try bench.spool()
        try await spool.prepare()
        try bench.write(to: "incoming/x.json")
        let running = Task { await spool.run() }
        await bench.coordinator.waitForSubmissions(1)
        running.cancel()
        await running.value
        #expect(bench.coordinator.fileNames == ["x.json"])
    }

    @Test func `a directory that is created in the root becomes a group`() async throws {
        try await bench.run {
            try FileSystem.makeDirectory("\(bench.root)/g.new")
            try await bench.waitFor(".", of: "g.new") { $0.count == 4 }
            try bench.write(to: "incoming/x.json", in: "g.new")
            await bench.coordinator.waitForSubmissions(1)
        }
        #expect(bench.coordinator.submissions.first?.group == (try group("g.new")))
        #expect(try bench.names(".", in: "g.new") == Self.directories)
    }

    @Test func `existing groups, and groups that are moved into the root, are found`() async throws {
        for name in ["a", "b"] {
            try bench.makeDirectories(of: name)
            try bench.write(to: "incoming/\(name).json", in: name)
        }
        try FileSystem.makeDirectory("\(bench.root)/c")
        try FileSystem.makeDirectory("\(bench.root)/c/incoming")
        try bench.write(to: "incoming/c.json", in: "c")
        try FileSystem.move("\(bench.root)/b", to: "\(bench.root)/.b")
        try await bench.run {
            await bench.coordinator.waitForSubmissions(2)
            try FileSystem.move("\(bench.root)/.b", to: "\(bench.root)/b")
            await bench.coordinator.waitForSubmissions(3)
        }
        #expect(bench.coordinator.fileNames.last == "b.json")
        #expect(try bench.names(".", in: "c") == Self.directories)
    }

    @Test func `a directory with other files becomes a group when its incoming directory is created`() async throws {
        try FileSystem.makeDirectories("\(bench.root)/g/media")
        try await bench.run {
            try await dropLast(1)
            #expect(try bench.names(".", in: "g") == ["media"])
            try FileSystem.makeDirectory("\(bench.root)/g/incoming")
            try bench.write(to: "incoming/x.json", in: "g")
            await bench.coordinator.waitForSubmissions(2)
        }
        #expect(bench.coordinator.submissions.last?.group == (try group("g")))
    }

    @Test func `the spool does not change a directory that cannot be a group`() async throws {
        for name in [".hidden", "a b", "ü", "x_y"] { try FileSystem.makeDirectories("\(bench.root)/\(name)/incoming") }
        try FileSystem.write([], toFile: "\(bench.root)/file")
        try FileSystem.makeDirectories("\(bench.root)/.else/incoming")
        symlink(".else", "\(bench.root)/link")
        try await bench.run {
            for name in [".hidden", "a b", "ü", "x_y", ".else"] { try bench.write(to: "incoming/x.json", in: name) }
            try await dropLast(1)
        }
        #expect(bench.coordinator.fileNames == ["last.json"])
        #expect(try bench.names(".", in: ".else") == ["incoming"])
    }

    @Test func `the spool does not change directories that are not in the list of groups`() async throws {
        try bench.makeDirectories(of: "other")
        try bench.write(to: "incoming/x.json", in: "other")
        try await bench.run(groups: ServedGroups(named: [try group("listed")], isOpen: false)) {
            #expect(try bench.names(".", in: "listed") == Self.directories)
            #expect(try bench.names(".") == Self.directories)
            try FileSystem.makeDirectory("\(bench.root)/late")
            try bench.write(to: "incoming/y.json", in: "listed")
            try await dropLast(2)
        }
        #expect(bench.coordinator.fileNames.sorted() == ["last.json", "y.json"])
        #expect(try bench.names("incoming", in: "other") == ["x.json"])
        #expect(try bench.names(".", in: "late").isEmpty)
    }

    @Test(arguments: [true, false])
    func `an incoming directory that is deleted and created again is watched again`(_ isDeleted: Bool) async throws {
        try await bench.run {
            for round in 1...3 {
                if isDeleted {
                    try #require(rmdir(bench.path("incoming")) == 0)
                } else {
                    try FileSystem.move(bench.path("incoming"), to: bench.path("old-\(round)"))
                }
                try FileSystem.makeDirectory(bench.path("incoming"))
                try bench.write(to: "incoming/\(round).json")
                await bench.coordinator.waitForSubmissions(round)
            }
            if !isDeleted { try bench.write(to: "old-1/unheard.json") }
            try await dropLast(4)
        }
        #expect(bench.coordinator.fileNames == ["1.json", "2.json", "3.json", "last.json"])
    }

    @Test func `a group that is deleted and created again is found as a new group`() async throws {
        try await bench.run {
            for round in 1...3 {
                try FileSystem.makeDirectory("\(bench.root)/g")
                try await bench.waitFor(".", of: "g") { $0.count == 4 }
                try bench.write(to: "incoming/\(round).json", in: "g")
                await bench.coordinator.waitForSubmissions(round)
                try FileManager.default.removeItem(atPath: "\(bench.root)/g")
            }
        }
        #expect(bench.coordinator.fileNames == ["1.json", "2.json", "3.json"])
    }

    @Test func `no directory is created in a group that is being deleted`() async throws {
        try bench.makeDirectories(of: "g")
        try await bench.run {
            try bench.place("{}", at: "incoming/1.json", in: "g")
            await bench.coordinator.waitForSubmissions(1)
            for name in ["outbox", "rejected", "claimed", "incoming"] {
                try FileManager.default.removeItem(atPath: bench.path(name, in: "g"))
            }
            // The events of a watcher are in order: that of this file comes after those of the directories.
            try bench.place("{}", at: "incoming/2.json")
            await bench.coordinator.waitForSubmissions(2)
            await bench.clock.waitForSleepers()
            bench.clock.advance(by: SpoolLimits().lookAgain)
            try bench.place("{}", at: "incoming/3.json")
            await bench.coordinator.waitForSubmissions(3)
            #expect(rmdir("\(bench.root)/g") == 0)
        }
    }

    @Test func `missing directories are created when they are needed`() async throws {
        try await bench.run {
            try #require(rmdir(bench.path("claimed")) == 0 && rmdir(bench.path("rejected")) == 0)
            try bench.write(to: "incoming/x.json")
            try await bench.turn(until: 1)
            try bench.write("no", to: "incoming/y.json")
            try await bench.turn { (try? bench.names("rejected").contains("y.json")) ?? false }
        }
        #expect(bench.coordinator.fileNames == ["x.json"])
    }

    @Test func `the root may be a symbolic link`() async throws {
        let real = try TemporaryDirectory()
        symlink(real.path, "\(bench.root)/link")
        let spool = try bench.spool(root: "\(bench.root)/link")
        try await spool.prepare()
        let running = Task { await spool.run() }
        try FileSystem.write(Array("{}".utf8), toFile: "\(real.path)/group.default/incoming/x.json")
        await bench.coordinator.waitForSubmissions(1)
        running.cancel()
        await running.value
    }

    @Test func `the spool fails to start if its root cannot be created`() async throws {
        try FileSystem.write([], toFile: "\(bench.root)/file")
        let spool = try bench.spool(root: "\(bench.root)/file/root")
        let error = await #expect(throws: SystemError.self) { try await spool.prepare() }
        #expect(error?.errno == ENOTDIR)
        spool.loop.shutdown()
    }

    @Test func `the periodic scan finds a file for which no event arrived`() async throws {
        try await bench.run {
            // The file is linked in while a writer has it open under another name. The close causes an event only in
            // the other directory.
            let writer = open("\(bench.root)/elsewhere", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            try FileSystem.write(Array("{}".utf8)[...], to: writer)
            try #require(link("\(bench.root)/elsewhere", bench.path("incoming/x.json")) == 0)
            try await dropLast(1)
            close(writer)
            try await bench.turn(until: 2)
        }
        #expect(bench.coordinator.fileNames == ["last.json", "x.json"])
    }
}

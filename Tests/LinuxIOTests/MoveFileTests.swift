import FoundationEssentials
import Glibc
import LinuxIO
import TestSupport
import Testing

struct MoveFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    @Test(arguments: [false, true])
    func `a move does not replace an existing file`(_ byLinking: Bool) throws {
        let move = byLinking ? FileSystem.moveByLinking : FileSystem.move
        try FileSystem.replace(path("a"), with: [1])
        try move(path("a"), path("b"))
        #expect(try FileSystem.names(in: directory.path) == ["b"])
        try FileSystem.replace(path("a"), with: [2])
        let error = #expect(throws: SystemError.self) { try move(path("a"), path("b")) }
        #expect(error?.isNameTaken == true)
        #expect(try FileSystem.contents(of: path("b")) == [1])
        #expect(try FileSystem.contents(of: path("a")) == [2])
        let missing = #expect(throws: SystemError.self) { try move(path("none"), path("c")) }
        #expect(missing?.isNoSuchFile == true)
    }

    @Test func `a directory and a symbolic link are moved unchanged`() throws {
        try FileSystem.makeDirectory(path("folder"))
        symlink("nowhere", path("link"))
        try FileSystem.move(path("folder"), to: path("folder2"))
        try FileSystem.move(path("link"), to: path("link2"))
        #expect(try FileSystem.look(at: path("folder2")).kind == .directory)
        #expect(try FileSystem.look(at: path("link2")).kind == .symbolicLink)
    }

    @Test func `a rename replaces a file, and a removal deletes the name of a file`() throws {
        try FileSystem.replace(path("a"), with: [1])
        try FileSystem.replace(path("b"), with: [2])
        try FileSystem.rename(path("a"), to: path("b"))
        #expect(try FileSystem.contents(of: path("b")) == [1])
        try FileSystem.remove(path("b"))
        #expect(try FileSystem.names(in: directory.path).isEmpty)
        #expect(throws: SystemError.self) { try FileSystem.remove(path("b")) }
    }

    @Test func `a file that replaces a longer file has its own length`() throws {
        try FileSystem.write([1, 2, 3], toFile: path("a"))
        try FileSystem.write([4], toFile: path("a"))
        #expect(try FileSystem.contents(of: path("a")) == [4])
    }

    @Test func `a move changes only the ctime of a file`() throws {
        let before = Date()
        try FileSystem.replace(path("a"), with: [1])
        let first = try FileSystem.look(at: path("a"))
        // A kernel that counts time in ticks needs a tick to pass.
        var second = first
        while second.changed == first.changed {
            try FileSystem.move(path("a"), to: path("b"))
            try FileSystem.move(path("b"), to: path("a"))
            second = try FileSystem.look(at: path("a"))
        }
        #expect(second.changed > first.changed)
        #expect((second.kind, second.byteCount, second.linkCount) == (.regular, 1, 1))
        let date = try FileSystem.look(at: path("a")).changeDate
        // The kernel's clock of ticks may lag by one tick.
        #expect(date > before - 0.1 && date <= Date())
    }

    @Test func `the status of a file has the number of its hard links`() throws {
        try FileSystem.replace(path("a"), with: [1])
        try #require(link(path("a"), path("b")) == 0)
        #expect(try FileSystem.look(at: path("b")).linkCount == 2)
        let error = #expect(throws: SystemError.self) { _ = try FileSystem.look(at: path("none")) }
        #expect(error?.isNoSuchFile == true)
    }

    @Test func `a file system is synced by one of its directories`() throws {
        try FileSystem.write([1], toFile: path("a"))
        try FileSystem.syncFileSystem(of: directory.path)
        let error = #expect(throws: SystemError.self) { try FileSystem.syncFileSystem(of: path("none")) }
        #expect(error?.isNoSuchFile == true)
    }

    @Test func `a file gets the requested mode and the requested group`() throws {
        try FileSystem.write([1], toFile: path("a"))
        try FileSystem.setMode(0o604, of: path("a"))
        var status = stat()
        try #require(stat(path("a"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o604)
        try FileSystem.setGroup(getgid(), of: path("a"))
    }

    @Test(.enabled(if: getuid() == 0, "root alone may give a file to any group"))
    func `root can give a file to another group`() throws {
        try FileSystem.write([1], toFile: path("a"))
        try FileSystem.setGroup(12_345, of: path("a"))
        var status = stat()
        try #require(stat(path("a"), &status) == 0)
        #expect(status.st_gid == 12_345 && status.st_uid == getuid())
    }

    @Test func `a directory is read step by step, with each name once`() throws {
        let names = (0..<500).map { "file-\($0)" } + [".hidden", "ünïcode"]
        for name in names { try FileSystem.write([], toFile: path(name)) }
        // The bytes are not UTF-8, so no text can name this file.
        let unreadable = Array(path("x").utf8CString.dropLast()) + [-1, 0]
        close(open(unreadable, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        var scan = try DirectoryScan.start(directory.path)
        var seen: [String] = []
        while case let part = scan.next(64), !part.isEmpty {
            #expect(part.count <= 64)
            seen += part
        }
        #expect(seen.sorted() == names.sorted())
        #expect(scan.next(64).isEmpty)
        do throws(SystemError) {
            _ = try DirectoryScan.start(path("none"))
            Issue.record("a missing directory was read")
        } catch {
            #expect(error.isNoSuchFile)
        }
    }
}

import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests that the names of a large directory are found in bounded scans, and that the claims of an earlier daemon are
/// returned before other names.
@Suite struct PendingFileNamesTests {
    private let root: TemporaryDirectory
    private let directories: SpoolDirectories

    init() throws {
        root = try TemporaryDirectory()
        directories = SpoolDirectories(root: root.path, group: .default)
        try directories.make()
    }

    private func write(_ names: [String]) throws {
        for name in names { try FileSystem.write([], toFile: directories.incoming(name)) }
    }

    /// Returns the errno of the next call.
    private func failure(_ names: inout PendingFileNames) throws -> Int32? {
        let name: String?
        do throws(SystemError) { name = try names.next()?.name } catch { return error.errno }
        try #require(name == nil)
        return nil
    }

    @Test func `the scans of a large directory return all names, although the first names stay`() throws {
        let all = (1...700).map { "\($0)" }
        try write(all)
        var names = PendingFileNames(directories, bound: 8)
        names.wantScan()
        var found: [String] = []
        while let next = try names.next() { found.append(next.name) }
        #expect(Set(found) == Set(all))
        // Each scan begins with the names that stay, and is longer than the scan before it.
        #expect(found.count == 256 + 512 + 700)
        #expect(names.isEmpty)
    }

    @Test func `each name is returned once if its file leaves the directory`() throws {
        try write((1...700).map { "\($0)" })
        var names = PendingFileNames(directories, bound: 8)
        names.wantScan()
        var count = 0
        while let next = try names.next() {
            #expect(next.observed == .scan)
            try FileSystem.remove(directories.incoming(next.name))
            names.noteTaken()
            count += 1
        }
        #expect(count == 700 && names.isEmpty)
    }

    @Test func `a directory that cannot be read is reported, and a missing directory is not reported`() throws {
        try #require(rmdir(directories.incoming) == 0)
        var names = PendingFileNames(directories, bound: 8)
        names.wantScan()
        let missing = try failure(&names)
        #expect(missing == nil)
        // A file has the name of the directory.
        try FileSystem.write([], toFile: directories.incoming)
        names.wantScan()
        let unreadable = try failure(&names)
        #expect(unreadable == ENOTDIR)
        #expect(names.isEmpty)
        try FileSystem.remove(directories.incoming)
        try directories.make()
        try write(["scanned"])
        names.wantScan()
        let next = try names.next()
        #expect(next?.name == "scanned")
    }

    @Test func `a scan finds the names of events that exceed the bound`() throws {
        let all = (1...20).map { "\($0)" }
        try write(all)
        var names = PendingFileNames(directories, bound: 8)
        for name in all { names.add(name, .closeEvent) }
        var found: [String] = []
        while let next = try names.next() { found.append(next.name) }
        #expect(Set(found) == Set(all))
        #expect(found.count == 28)
    }

    @Test func `no name is returned while the claims of an earlier daemon cannot be read`() throws {
        try write(["scanned"])
        try #require(rmdir(directories.claimed) == 0)
        try FileSystem.write([], toFile: directories.claimed)
        var names = PendingFileNames(directories, bound: 8)
        names.wantRecovery()
        names.wantScan()
        names.add("reported", .closeEvent)
        let unreadable = try failure(&names)
        #expect(unreadable == ENOTDIR)
        #expect(names.isEmpty)
        names.wantScan()
        #expect(!names.isEmpty)
        // The directory of claims does not exist, so no claims are left.
        try FileSystem.remove(directories.claimed)
        let (first, second) = (try names.next(), try names.next())
        #expect(first?.name == "reported" && second?.name == "scanned")
    }
}

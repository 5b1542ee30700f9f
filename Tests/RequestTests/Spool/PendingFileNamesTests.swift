import Glibc
import LinuxIO
import TestSupport
import Testing

@testable import Spool

/// Tests that names are found with a bounded number of open directories, and that the claims of an earlier daemon are
/// returned before other names.
@Suite struct PendingFileNamesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ names: [String]) throws {
        for name in names { try FileSystem.write([], toFile: "\(directory.path)/\(name)") }
    }

    /// Returns the state of a value that cannot be copied.
    private func state(_ names: borrowing PendingFileNames) -> (isReading: Bool, isEmpty: Bool, isBlocked: Bool) {
        (names.isReading, names.isEmpty, names.isBlocked)
    }

    private func next(
        _ names: inout PendingFileNames, mayStart: Bool = true, othersWait: Bool = false,
        recoveryError: Int32 = ENOENT, scanError: Int32? = nil
    ) -> String? {
        names.next(
            mayStart: mayStart, othersWait: othersWait,
            startRecovery: { () throws(SystemError) in throw SystemError("opendir", errno: recoveryError) },
            startScan: { () throws(SystemError) in
                if let scanError { throw SystemError("opendir", errno: scanError) }
                return try DirectoryScan.start(directory.path)
            })?.name
    }

    private func failure(_ names: borrowing PendingFileNames) -> Int32? { names.failure?.errno }

    @Test func `a scan ends early if other groups wait, and names from events are still returned`() throws {
        try write((1...2_100).map { "\($0)" })
        var names = PendingFileNames(bound: 8)
        names.wantScan()
        var counts: [Int] = []
        for _ in 0..<3 {
            var count = 0
            while next(&names, othersWait: true) != nil { count += 1 }
            counts.append(count)
        }
        // All names stay in the directory, so each scan is longer than the previous scan.
        #expect(counts == [1_024, 2_048, 2_100])
        #expect(state(names).isEmpty)
        names.wantScan()
        var count = 0
        while next(&names, othersWait: true) != nil { count += 1 }
        #expect(count == 1_024)
        let yielded = (names.hasYielded, names.isReading, names.needsFolder)
        #expect(yielded == (true, false, true))
        names.add("told", .closeEvent)
        let reported = next(&names, mayStart: false, othersWait: true)
        #expect(reported == "told")
    }

    @Test func `a directory that cannot be opened is reported, and a missing directory is not reported`() throws {
        try write(["scanned"])
        var names = PendingFileNames(bound: 8)
        names.wantRecovery()
        let name1 = next(&names, recoveryError: EACCES)
        #expect(name1 == nil && failure(names) == EACCES)
        names.wantScan()
        let name2 = next(&names, scanError: EMFILE)
        #expect(name2 == nil && failure(names) == EMFILE)
        names.wantScan()
        let name3 = next(&names, scanError: ENOENT)
        #expect(name3 == nil && failure(names) == nil)
        names.wantScan()
        let name4 = next(&names)
        #expect(name4 == "scanned")
    }

    @Test func `a small directory is closed after its first name, and a large directory is closed at its end`() throws {
        try write((1...3).map { "\($0)" })
        var names = PendingFileNames(bound: 8)
        names.wantScan()
        let first = next(&names)
        #expect(first != nil)
        #expect(!state(names).isReading)
        try write((4...300).map { "\($0)" })
        names.wantScan()
        var count = 0
        while next(&names) != nil {
            count += 1
            if count == 100 { #expect(state(names).isReading) }
        }
        #expect(count == 302)
        #expect(state(names) == (false, true, false))
    }

    @Test func `the names from events are returned while a scan waits for permission to open the directory`() throws {
        try write(["scanned"])
        var names = PendingFileNames(bound: 8)
        names.wantScan()
        names.add("told", .closeEvent)
        let name1 = next(&names, mayStart: false)
        #expect(name1 == "told")
        let name2 = next(&names, mayStart: false)
        #expect(name2 == nil)
        #expect(!state(names).isEmpty)
        let name3 = next(&names)
        #expect(name3 == "scanned")
    }

    @Test func `no name is returned while the claims of an earlier daemon cannot be read`() throws {
        try write(["scanned"])
        var names = PendingFileNames(bound: 8)
        names.wantRecovery()
        names.add("told", .closeEvent)
        let name4 = next(&names, mayStart: false)
        #expect(name4 == nil)
        let name5 = next(&names, recoveryError: EMFILE)
        #expect(name5 == nil)
        #expect(state(names) == (false, true, true))
        names.wantScan()
        #expect(!state(names).isEmpty)
        // The directory of claims does not exist, so no claims are left.
        let name6 = next(&names, recoveryError: ENOENT)
        #expect(name6 == "told")
        let name7 = next(&names)
        #expect(name7 == "scanned")
    }
}

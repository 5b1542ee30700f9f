import Glibc
import LinuxIO
import TestSupport
import Testing

@testable import Ingress

/// Names are found without many folders open, and those of an earlier daemon go first.
@Suite struct PendingFileNamesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ names: [String]) throws {
        for name in names { try FileSystem.write([], toFile: "\(directory.path)/\(name)") }
    }

    /// Copies of what a value that cannot be copied says.
    private func state(_ names: borrowing PendingFileNames) -> (isReading: Bool, isEmpty: Bool, isBlocked: Bool) {
        (names.isReading, names.isEmpty, names.isBlocked)
    }

    private func next(
        _ names: inout PendingFileNames, mayStart: Bool = true, recoveryError: Int32 = ENOENT
    ) -> String? {
        names.next(
            mayStart: mayStart,
            startRecovery: { () throws(SystemError) in throw SystemError("opendir", errno: recoveryError) },
            startScan: { try? DirectoryScan.start(directory.path) })?.name
    }

    @Test func `a folder with few names is closed with its first name, one with many at its end`() throws {
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

    @Test func `a folder is not opened before it may be, and events give their names meanwhile`() throws {
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

    @Test func `no name is given while the claims of an earlier daemon cannot be read`() throws {
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
        // There are none, and their folder neither.
        let name6 = next(&names, recoveryError: ENOENT)
        #expect(name6 == "told")
        let name7 = next(&names)
        #expect(name7 == "scanned")
    }
}

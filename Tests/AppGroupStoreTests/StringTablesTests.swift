import Base
import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

@Suite(.timeLimit(.minutes(1))) struct StringTablesTests {
    private let directory: TemporaryDirectory
    private let group = AppGroupName.default

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: "\(directory.path)/\(group)/strings", withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(group)/strings/\(name).json" }

    private func write(_ text: String, as name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// Runs a body with tables.
    ///
    /// - Returns: The reported sentences.
    @discardableResult
    private func with(_ body: (StringTables) async throws -> Void) async throws -> [String] {
        let warnings = Guarded<[String]>([])
        let loop = try EventLoop.start(name: "agd-test")
        defer { loop.shutdown() }
        let tables = StringTables(root: directory.path, on: loop) { words in warnings.withLock { $0.append(words) } }
        try await body(tables)
        return warnings.withLock { $0 }
    }

    @Test func `a string table contains only the string values of its file`() async throws {
        try write(#"{"A":"a","N":7,"O":{},"A":"last"}"#, as: "de")
        let warnings = try await with { tables in
            #expect(await tables.table("de", in: group) == ["A": "last"])
            #expect(await tables.table("fr", in: group) == nil)
            let other = try #require(AppGroupName("group.other"))
            #expect(await tables.table("de", in: other) == nil)
        }
        #expect(warnings.isEmpty)
    }

    @Test func `a changed table is read again`() async throws {
        try await with { tables in
            for text in ["one", "two", "three"] {
                try write(#"{"A":"\#(text)"}"#, as: "de")
                #expect(await tables.table("de", in: group) == ["A": text])
            }
            try FileManager.default.removeItem(atPath: path("de"))
            #expect(await tables.table("de", in: group) == nil)
        }
    }

    @Test(arguments: ["[]", "{", "", #""x""#, "{\"A\":\"\(String(repeating: "x", count: 1 << 20))\"}"])
    func `a file that is not a table is reported once, and has no texts`(text: String) async throws {
        try write(text, as: "de")
        let warnings = try await with { tables in
            for _ in 0..<3 { #expect(await tables.table("de", in: group) == nil) }
        }
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(path("de")) == true)
    }

    @Test func `a link, a directory and a FIFO are not read as tables`() async throws {
        try write(#"{"A":"a"}"#, as: "real")
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("real"))
        try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: true)
        #expect(mkfifo(path("fifo"), 0o600) == 0)
        try await with { tables in
            for name in ["link", "folder", "fifo"] { #expect(await tables.table(name, in: group) == nil) }
        }
    }

    @Test func `a cancelled caller does not wait for the disk`() async throws {
        try await with { tables in
            let asking = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await tables.table("de", in: group)
            }
            #expect(await asking.value == nil)
        }
    }
}

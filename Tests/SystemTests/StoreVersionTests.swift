import Base
import Foundation
import GRDB
import HTTPAPI
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal
@testable import appgroupd

/// Tests of upgrades and downgrades: the program with stores of earlier and of later versions.
@Suite(.serialized, .timeLimit(.minutes(3))) struct StoreVersionTests {
    private static let group = "group.default"

    /// Opens a database in the mode in which the program leaves it.
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Makes a root with the stores of earlier versions: a journal with a waiting request and a result, and an index with
    /// a message.
    private static func makeRoot(_ path: String, journal: Int, index: Int) throws {
        for directory in [path + "/.appgroupd", path + "/\(group)/media"] {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        }
        let journalFile = try open(path + "/.appgroupd/journal.sqlite")
        try journalMigrator.migrate(journalFile, upTo: "\(journal)")
        let deadline = Date().timeIntervalSince1970 + 60
        try journalFile.write { database in
            try database.execute(
                sql: """
                    INSERT INTO request (appGroup, id, origin, fingerprint, body, receivedAt, deadline)
                        VALUES (?, 'waiting', 'detached', x'07', ?, ?, ?);
                    INSERT INTO request (appGroup, id, origin, fingerprint, receivedAt, deadline, emittedAt, outcome,
                        content) VALUES (?, 'old', 'detached', x'07', 1, 2, 4e9, 'rich', '{"id":"old"}');
                    """,
                arguments: [group, ServedPayload.text("from an earlier version"), deadline - 60, deadline, group])
        }
        try journalFile.close()
        let indexFile = try open(path + "/\(group)/index.sqlite")
        try ContainerIndex.migrator.migrate(indexFile, upTo: "\(index)")
        try indexFile.write { database in
            try database.execute(
                sql: "INSERT INTO message (id, providerId, emittedAt) VALUES ('kept', 'p', 4000000000)")
        }
        try indexFile.close()
    }

    /// Returns the files below a directory, without the empty files that SQLite's readers need beside a database.
    private static func names(in directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).sorted()
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    private static let journalMigrator = JournalDatabase.migrator(of: Features.tables)
    private static let indexes = ContainerIndex.migrator.migrations.compactMap { Int($0) }
    private static let journals = journalMigrator.migrations.compactMap { Int($0) }

    /// Each earlier version of the journal once, with versions of the index from the first to the last but one.
    private static let pairs: [(journal: Int, index: Int)] = {
        var pairs: [(journal: Int, index: Int)] = []
        for journal in journals.dropLast() {
            let share = (journal - 1) * (indexes.count - 1) / journals.count
            pairs.append((journal, min(indexes.count - 1, 1 + share)))
        }
        pairs.append((journals.count, indexes.count - 1))
        pairs.append((journals.count - 1, indexes.count))
        return pairs
    }()

    @Test(arguments: pairs) func `a daemon serves the root of an earlier version, and keeps its requests and messages`(
        journal: Int, index: Int
    ) async throws {
        try await ServedRoot.withRoot { root in
            try Self.makeRoot(root.path, journal: journal, index: index)
            let daemon = try await root.start()
            let waiting = try await root.client.request("GET", "/v1/notifications/waiting?wait=20s")
            #expect(waiting.json["content"]["body"] == "from an earlier version")
            let old = try await root.client.get("old")
            #expect(old.json["id"] == "old")
            let new = try await root.client.post(
                ServedPayload.twoMee("https://127.0.0.1:1/a.jpg", providerID: "new"), ["idempotency-key": "new"])
            #expect(new.status == 200)
            let end = try await daemon.terminate()
            #expect(end == .init(status: 0, isBySignal: false))

            let reader = try DatabaseQueue(path: root.path + "/.appgroupd/journal.sqlite")
            let applied = try await reader.read { try Self.journalMigrator.appliedIdentifiers($0) }
            #expect(applied == Set(Self.journalMigrator.migrations))
            let container = try DatabaseQueue(path: root.path + "/\(Self.group)/index.sqlite")
            let messages = try await container.read {
                try String.fetchAll($0, sql: "SELECT id FROM message ORDER BY id")
            }
            #expect(messages.contains("kept"))
            let indexed = try await container.read { try ContainerIndex.migrator.appliedIdentifiers($0) }
            #expect(indexed == Set(ContainerIndex.migrator.migrations))
        }
    }

    @Test(arguments: [".appgroupd/journal.sqlite", "group.default/index.sqlite"])
    func `a daemon refuses a store of a later version with status 1, and does not change it`(_ store: String)
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/root/" + store
        try Self.makeRoot(directory.path + "/root", journal: Self.journals.count, index: Self.indexes.count)
        let later = try Self.open(path)
        try await later.write { database in
            try database.execute(
                sql:
                    "INSERT INTO grdb_migrations VALUES ('999'); CREATE TABLE later (text); INSERT INTO later VALUES ('x')"
            )
        }
        try later.close()
        let before = try FileSystem.contents(of: path)
        let names = try Self.names(in: directory.path + "/root/group.default")

        let run = try await ProgramRun.appgroupd(
            "serve", "--root", directory.path + "/root", "--listen", "none", "--log-format", "text")
        #expect(run.status == 1)
        let message = run.errors.last ?? ""
        for words in ["a newer version of appgroupd made", "start that version, or name another root"] {
            #expect(message.contains(words), "\(run.errors)")
        }
        #expect(message.contains(store.split(separator: "/").last ?? ""), "\(message)")
        #expect(try FileSystem.contents(of: path) == before)
        let after = try Self.names(in: directory.path + "/root/group.default")
        #expect(after == names)
    }

    @Test func `a command does not write to the index of a later version`() async throws {
        let directory = try TemporaryDirectory()
        try Self.makeRoot(directory.path + "/root", journal: Self.journals.count, index: Self.indexes.count)
        let path = directory.path + "/root/group.default/index.sqlite"
        let later = try Self.open(path)
        try await later.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')") }
        try later.close()
        let before = try FileSystem.contents(of: path)
        let run = try await ProgramRun.appgroupd(
            ["process", "--root", directory.path + "/root", "-"],
            input: ServedPayload.twoMee("https://127.0.0.1:1/a.jpg", providerID: "p"))
        let errors = run.errors.joined()
        #expect(errors.contains("a newer version of appgroupd made the index"), "\(errors) \(run.output)")
        #expect(try FileSystem.contents(of: path) == before)
    }

    /// Makes the index of a group that a daemon has not opened.
    private static func makeIndex(of group: String, in root: String, version: Int) async throws -> String {
        try FileManager.default.createDirectory(atPath: "\(root)/\(group)", withIntermediateDirectories: true)
        let path = "\(root)/\(group)/index.sqlite"
        let file = try open(path)
        try ContainerIndex.migrator.migrate(file, upTo: "\(min(version, indexes.count))")
        if version > indexes.count {
            try await file.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('\(version)')") }
        }
        try file.close()
        return path
    }

    @Test func `a running daemon omits the media of a group with a newer index, and does not change it`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let index = try await Self.makeIndex(of: "group.later", in: root.path, version: 999)
            let before = try FileSystem.contents(of: index)
            let image = try Data(contentsOf: URL(filePath: Fixtures.media + "/photo-small.jpg")).base64EncodedString()
            let payload = #"{"aps":{"alert":"hi"},"image":"data:image/jpeg;base64,\#(image)"}"#
            let posted = try await root.client.post(#"{"appGroup":"group.later","payload":\#(payload)}"#)
            #expect(posted.json["reason"] == "storage-failed", "\(posted.json)")
            #expect(posted.json["content"]["body"] == "hi")
            let detail = posted.json["verdicts"]?.array?.first?["detail"]?.string ?? ""
            #expect(detail.contains("a newer version of appgroupd made the index"), "\(detail)")
            #expect(try FileSystem.contents(of: index) == before)
        }
    }

    @Test func `a command does not migrate an index while an older daemon serves the root`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            try FileSystem.write(Array("0.0.1 (0123456789ab)\n".utf8), toFile: root.path + "/.appgroupd/program")
            let index = try await Self.makeIndex(of: "group.older", in: root.path, version: Self.indexes.count - 1)
            let before = try FileSystem.contents(of: index)
            let run = try await ProgramRun.appgroupd("cache", "gc", "--root", root.path)
            #expect(run.status == 1)
            #expect(run.errors.joined().contains("restart the daemon with this version first"), "\(run.errors)")
            #expect(try FileSystem.contents(of: index) == before)
        }
    }

    @Test func `a start names a directory that was an app group before its name was reserved`() async throws {
        try await ServedRoot.withRoot { root in
            try FileSystem.makeDirectory(root.path + "/shop.sock")
            let daemon = try await root.start()
            let warning = try await daemon.log.wait(for: "shop.sock is no app group any more")
            let command = "mv '\(root.path)/shop.sock' '\(root.path)/shop.sock.group'"
            #expect(warning["message"]?.string?.contains(command) == true, "\(warning)")
        }
    }
}

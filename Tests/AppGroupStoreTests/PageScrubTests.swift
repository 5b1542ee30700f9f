import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteFiles

/// Tests of the removal of old bytes from a database file.
@Suite(.timeLimit(.minutes(1))) struct PageScrubTests {
    private static let mark = "rosenrot"

    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/a.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    /// Opens a database with tables of each kind, whose rows with a mark are removed again.
    private func prepare(vacuum: String, pageSize: Int) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA page_size = \(pageSize)")
            try database.execute(sql: "PRAGMA auto_vacuum = \(vacuum)")
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE a (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, text TEXT);
                    CREATE TABLE b (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;
                    """)
            var generator = SystemRandomNumberGenerator()
            for number in 0..<6_000 {
                let name = number % 3 == 0 ? "kept" : Self.mark
                let id = "\(UInt32.random(in: .min ... .max, using: &generator))-\(name)-\(number)"
                let text = String(repeating: name, count: Int.random(in: 1...40, using: &generator))
                try database.execute(sql: "INSERT INTO a (id, text) VALUES (?, ?)", arguments: [id, text])
                try database.execute(sql: "INSERT INTO b VALUES (?, ?)", arguments: [id, text])
            }
        }
        // Rows are removed a few at a time, so that SQLite moves the others together often.
        while try queue.write({ database in
            for table in ["a", "b"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE id LIKE ? LIMIT 100)",
                    arguments: ["%\(Self.mark)%"])
            }
            return database.changesCount > 0
        }) {}
        return queue
    }

    private func scrub(_ queue: DatabaseQueue) throws -> (last: PageScrub.Step, count: Int) {
        var (scrub, count) = (PageScrub(), 0)
        while true {
            count += 1
            let step = try queue.writeWithoutTransaction { try scrub.step(in: $0) }
            if case .goesOn = step { continue }
            return (step, count)
        }
    }

    private func hasMark() throws -> Bool {
        try Data(contentsOf: URL(filePath: path)).range(of: Data(Self.mark.utf8)) != nil
    }

    @Test(arguments: ["NONE", "FULL", "INCREMENTAL"], [512, 4_096, 65_536])
    func `no copy of a removed row is left in the file, and all other rows stay`(vacuum: String, pageSize: Int) throws {
        let queue = try prepare(vacuum: vacuum, pageSize: pageSize)
        #expect(try queue.writeWithoutTransaction { try $0.truncateLog() })
        let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM a, b USING (id) ORDER BY sequence") }
        #expect(rows.count == 2_000)
        // Without this, the test would not show that the scrub is needed.
        if pageSize == 4_096 { #expect(try hasMark()) }
        let (last, count) = try scrub(queue)
        guard case .done = last else {
            Issue.record("The scrub has not ended: \(last)")
            return
        }
        #expect(count >= 1)
        #expect(try !hasMark())
        try queue.write { database in
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            #expect(try Row.fetchAll(database, sql: "SELECT * FROM a, b USING (id) ORDER BY sequence") == rows)
            // A change of each page writes no old bytes again.
            try database.execute(sql: "UPDATE a SET text = text || 'x'; UPDATE b SET text = text || 'x'")
        }
        #expect(try queue.writeWithoutTransaction { try $0.truncateLog() })
        #expect(try !hasMark())
        try queue.close()
        let again = try DatabaseQueue(path: path)
        let check = try again.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        #expect(check == ["ok"])
    }

    @Test func `a scrub waits while another connection reads an older state`() throws {
        let queue = try prepare(vacuum: "NONE", pageSize: 4_096)
        #expect(try queue.writeWithoutTransaction { try $0.truncateLog() })
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try reader.inDatabase { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM a")
        }
        try queue.write { try $0.execute(sql: "UPDATE a SET text = 'y'") }
        guard case .waits = try scrub(queue).last else {
            Issue.record("The scrub did not wait.")
            return
        }
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
        guard case .done = try scrub(queue).last else {
            Issue.record("The scrub has not ended.")
            return
        }
    }

    @Test func `only sound pages of b-trees have an unused part`() {
        func unused(_ bytes: [UInt8], _ number: Int = 2) -> Range<Int>? {
            bytes.withUnsafeBytes { PageLayout.unused(of: $0, number: number) }
        }
        var page = [UInt8](repeating: 0, count: 512)
        #expect(unused(page) == nil, "an overflow page or a free page")
        page.replaceSubrange(0..<10, with: [13, 0, 0, 0, 1, 1, 0x90, 0, 1, 0x90])
        #expect(unused(page) == 10..<0x190)
        page[9] = 0x8F
        #expect(unused(page) == nil, "a cell before the content")
        page[9] = 0x90
        page[4] = 255
        #expect(unused(page) == nil, "more cells than there is space for")
        page[4] = 1
        page[5] = 3
        #expect(unused(page) == nil, "content after the end of the page")
        #expect(unused([13]) == nil)
        #expect(PageLayout.isMap(2, pageSize: 4_096, hasMaps: true))
        #expect(!PageLayout.isMap(2, pageSize: 4_096, hasMaps: false))
        #expect(PageLayout.isMap(822, pageSize: 4_096, hasMaps: true))
        #expect(!PageLayout.isMap(821, pageSize: 4_096, hasMaps: true))
        #expect(PageLayout.isMap(262_145, pageSize: 4_096, hasMaps: false), "the page with the locks")
    }
}

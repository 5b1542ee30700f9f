import Base
import Foundation
import GRDB
import LinuxIO
import Logging
import NotificationModel
import StoreTools
import TestSupport
import Testing

@testable import AppGroupStore
@testable import Features
@testable import RequestJournal

/// A store whose first erasure fails.
private final class FailingOnce: Erasable {
    static let erasedPlaces: [String] = []

    private let name: String?
    private let hasFailed = Guarded(false)

    init(for name: String? = nil) { self.name = name }

    func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        let fails = hasFailed.withLock { hasFailed in
            guard !hasFailed, name == nil || name == step.target.name else { return false }
            hasFailed = true
            return true
        }
        if fails { throw MediaFailure(.storageFailed, "the test fails the first time") }
        return ErasureCounts()
    }
}

/// Tests of erasures in the journal.
@Suite(.timeLimit(.minutes(1))) struct ErasureStoreTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private static func target(_ kind: ErasureTarget.Kind, _ name: String) -> ErasureTarget {
        ErasureTarget(group: .default, kind: kind, name: name)
    }

    private func emit(
        _ id: String, to recipient: String, thread: String? = nil, provider: String? = nil, byteCount: Int = 0,
        in journal: RequestJournal
    ) async throws {
        let entry = try bench.entry(id)
        var content = bench.content(of: entry, byteCount: byteCount)
        content.json += Array(#"{"recipient":"\#(recipient)"}"#.utf8)
        var names = ListedNames()
        (names.recipient, names.thread, names.providerID) = (recipient, thread, provider)
        content.facts = EmittedFacts(names: names)
        #expect(await journal.accept(entry, with: content) == .accepted)
    }

    private func eraser(_ journal: RequestJournal, _ stores: [any Erasable] = []) -> Eraser {
        Eraser(
            records: journal, stores: stores, reader: nil, clock: SystemClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Returns the paths of the files under the root that contain a text.
    private func files(with text: String) throws -> [String] {
        let needle = Data(text.utf8)
        let root = URL(filePath: bench.root)
        let all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
        return try (all ?? []).filter { url in
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            return try !isDirectory.boolValue && Data(contentsOf: url).range(of: needle) != nil
        }.map(\.lastPathComponent)
    }

    private func ids(in journal: RequestJournal) async throws -> [String] {
        var query = ListQuery(group: .default)
        query.limit = 1_000
        return try #require(await journal.list(query)).elements.map(\.key.id.description)
    }

    @Test(arguments: [(false, 1, ["c", "b"]), (true, 0, ["c"])])
    func `a request that only mentions the name is counted, and removed on demand`(
        includesMentions: Bool, mentions: Int, left: [String]
    ) async throws {
        try await bench.with { journal in
            try await emit("a", to: "secret-anna", in: journal)
            try await emit("b", to: "secret-anna, and ben", in: journal)
            try await emit("c", to: "secret-annabel", in: journal)
            // The result of a payload of no dialect, without a recipient.
            let entry = try bench.entry("d")
            var content = bench.content(of: entry, byteCount: 0)
            content.json = Array(#"{"dialect":null,"recipient":null,"push":{"to":"secret-anna"}}"#.utf8)
            #expect(await journal.accept(entry, with: content) == .accepted)
            let eraser = eraser(journal)
            let erasure = try #require(
                await eraser.erase(
                    Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: includesMentions))
            #expect(await eraser.carryOutAll())
            let ended = try #require(await eraser.erasure(erasure.id))
            #expect(ended.state == .done && ended.counts.mentions == mentions)
            #expect(try await ids(in: journal) == left)
            #expect(await journal.content(of: entry.key) == nil)
        }
    }

    @Test func `all names of a recipient are searched after its removal, also by the next daemon`() async throws {
        try await bench.with { journal in
            var document = RecipientDocument()
            document.names = ["token-123"]
            let name = RecipientName(group: .default, name: "secret-anna")
            _ = await journal.apply([RecipientChange(name: name, kind: .replace(document))])
            try await emit("b", to: "token-123, and ben", in: journal)
            let eraser = eraser(journal, [FailingOnce()])
            let erasure = try #require(
                await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: true))
            #expect(await !eraser.carryOutAll())
            // The failed erasure has removed the recipient.
            for _ in 0..<3 {
                let step = try await journal.nextStep(of: erasure.target, names: [])
                _ = try await journal.erase(step)
            }
            #expect(await eraser.carryOutAll())
            #expect(try await ids(in: journal).isEmpty)
        }
    }

    @Test func `an erasure that fails does not delay another one`() async throws {
        try await bench.with { journal in
            try await emit("a", to: "secret-anna", in: journal)
            let eraser = eraser(journal, [FailingOnce(for: "first")])
            let first = try #require(
                await eraser.erase(Self.target(.recipient, "first"), suppresses: false, includesMentions: false))
            let second = try #require(
                await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: false))
            #expect(await !eraser.carryOutAll())
            #expect(await eraser.erasure(first.id)?.state == .running)
            #expect(await eraser.erasure(second.id)?.state == .done)
        }
    }

    @Test func `rows of lists whose results are gone are searched, too`() async throws {
        try await bench.with { journal in
            try await emit("a", to: "ben", thread: "with secret-anna", in: journal)
            let key = try bench.entry("a").key
            let queue = try DatabaseQueue(path: bench.root + "/.appgroupd/journal.sqlite")
            try await queue.write { try $0.execute(sql: "DELETE FROM request") }
            try queue.close()
            #expect(await journal.content(of: key) == nil)
            let eraser = eraser(journal)
            let counted = try #require(
                await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: false))
            #expect(await eraser.carryOutAll())
            #expect(await eraser.erasure(counted.id)?.counts.mentions == 1)
            _ = await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: true)
            #expect(await eraser.carryOutAll())
            #expect(try await ids(in: journal).isEmpty)
        }
    }

    @Test(arguments: [
        (ErasureTarget.Kind.id, "a", ["d", "c", "b"]), (.providerID, "p1", ["d", "c"]), (.thread, "t", ["d", "b"]),
        (.recipient, "secret-anna", ["d", "b"]), (.group, "", []),
    ])
    func `an erasure removes the notifications of its target only`(
        kind: ErasureTarget.Kind, name: String, left: [String]
    ) async throws {
        try await bench.with { journal in
            try await emit("a", to: "secret-anna", thread: "t", provider: "p1", in: journal)
            try await emit("b", to: "ben", provider: "p1", in: journal)
            try await emit("c", to: "secret-anna", thread: "t", provider: "p2", in: journal)
            try await emit("d", to: "ben", thread: "secret-anna", in: journal)
            let eraser = eraser(journal)
            let erasure = try #require(
                await eraser.erase(Self.target(kind, name), suppresses: false, includesMentions: false))
            #expect(await eraser.carryOutAll())
            #expect(try await ids(in: journal) == left)
            for id in ["a", "b", "c", "d"] {
                let content = await journal.content(of: try bench.entry(id).key)
                #expect((content != nil) == left.contains(id), "\(id)")
            }
            let record = try #require(await eraser.erasure(erasure.id))
            #expect(record.state == .done && record.target.name.isEmpty && record.endedAt != nil)
            #expect(record.counts.listed == 4 - left.count && record.counts.results == 4 - left.count)
        }
    }

    @Test func `after an erasure no file under the root contains the name of the recipient`() async throws {
        try await bench.with { journal in
            for index in 0..<450 { try await emit("m\(index)", to: "secret-anna", byteCount: 100, in: journal) }
            try await emit("large", to: "secret-anna", byteCount: 100_000, in: journal)
            try await emit("other", to: "ben", in: journal)
            let change = RecipientChange(
                name: RecipientName(group: .default, name: "secret-anna"), kind: .replace(RecipientDocument()))
            _ = await journal.apply([change])
            #expect(try !files(with: "secret-anna").isEmpty)
            let eraser = eraser(journal)
            let erasure = try #require(
                await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: false))
            #expect(await eraser.carryOutAll())
            #expect(try files(with: "secret-anna") == [])
            #expect(try await ids(in: journal) == ["other"])
            let counts = try #require(await eraser.erasure(erasure.id)).counts
            #expect(counts.listed == 451 && counts.results == 451 && counts.recipients == 1)
        }
        #expect(try files(with: "secret-anna") == [])
    }

    @Test func `an erasure by one name of a recipient removes the notifications to all of its names`() async throws {
        try await bench.with { journal in
            var document = RecipientDocument()
            document.names = ["token-1"]
            let name = RecipientName(group: .default, name: "anna")
            _ = await journal.apply([RecipientChange(name: name, kind: .replace(document))])
            try await emit("a", to: "anna", in: journal)
            try await emit("b", to: "token-1", in: journal)
            let eraser = eraser(journal)
            _ = await eraser.erase(Self.target(.recipient, "token-1"), suppresses: false, includesMentions: false)
            #expect(await eraser.carryOutAll())
            #expect(try await ids(in: journal) == [])
            let found = await journal.find(name)
            #expect(found == .unknown)
        }
    }

    @Test func `while another process reads the journal, the erasure waits, and ends after it`() async throws {
        try await bench.with { journal in
            try await emit("a", to: "secret-anna", in: journal)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(
                path: bench.root + "/.appgroupd/journal.sqlite", configuration: configuration)
            try await reader.writeWithoutTransaction { database in
                try database.execute(sql: "BEGIN; SELECT count(*) FROM request")
            }
            let eraser = eraser(journal)
            let erasure = try #require(
                await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: false))
            let isDone = await eraser.carryOutAll()
            #expect(!isDone)
            let waiting = try #require(await eraser.erasure(erasure.id))
            #expect(waiting.state == .waitingForReader && waiting.target.name.isEmpty)
            #expect(try !files(with: "secret-anna").isEmpty)
            try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try reader.close()
            #expect(await eraser.carryOutAll())
            #expect(try files(with: "secret-anna") == [])
        }
    }

    @Test func `an erasure that a killed daemon has begun ends after the restart`() async throws {
        final class Broken: Erasable {
            static let erasedPlaces: [String] = []
            let left = Guarded(1)

            func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
                let isBroken = left.withLock { left in
                    left -= 1
                    return left < 0
                }
                if isBroken { throw MediaFailure(.storageFailed, "the process ends") }
                return ErasureCounts()
            }
        }
        try await bench.with { journal in
            for index in 0..<300 { try await emit("m\(index)", to: "secret-anna", in: journal) }
            let eraser = eraser(journal, [Broken()])
            _ = await eraser.erase(Self.target(.recipient, "secret-anna"), suppresses: false, includesMentions: false)
            let isDone = await eraser.carryOutAll()
            #expect(!isDone)
            let left = try await ids(in: journal).count
            #expect(left == 100)
        }
        try await bench.with { journal in
            let isDone = await eraser(journal).carryOutAll()
            let (left, files) = (try await ids(in: journal), try files(with: "secret-anna"))
            #expect(isDone && left == [] && files == [])
        }
    }
}

/// Tests of the suppression of erased recipients.
@Suite(.timeLimit(.minutes(1))) struct SuppressionTests {
    private let bench: JournalBench

    init() throws { bench = try JournalBench() }

    private static func name(_ name: String) -> RecipientName { RecipientName(group: .default, name: name) }

    private func erase(_ name: String, in journal: RequestJournal) async throws {
        let eraser = Eraser(
            records: journal, stores: [], reader: nil, clock: SystemClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let target = ErasureTarget(group: .default, kind: .recipient, name: name)
        _ = try #require(await eraser.erase(target, suppresses: true, includesMentions: false))
        let isDone = await eraser.carryOutAll()
        #expect(isDone)
    }

    @Test func `an erased recipient is refused under each of its names, also after a restart`() async throws {
        try await bench.with { journal in
            var document = RecipientDocument()
            document.names = ["token-1"]
            _ = await journal.apply([RecipientChange(name: Self.name("anna"), kind: .replace(document))])
            let earlier = await journal.recipient(Self.name("anna"))
            try await erase("token-1", in: journal)
            #expect(journal.isStale(earlier.mark))
        }
        try await bench.with { journal in
            for (name, isErased) in [("anna", true), ("token-1", true), ("ben", false)] {
                let found = await journal.recipient(Self.name(name))
                #expect((found.stored?.isErased ?? false) == isErased, "\(name)")
            }
            let bytes = try Data(contentsOf: URL(filePath: bench.root + "/.appgroupd/journal.sqlite"))
            #expect(bytes.range(of: Data("anna".utf8)) == nil)
        }
    }

    @Test func `an erased recipient is created again only after it was removed by its name`() async throws {
        try await bench.with { journal in
            try await erase("anna", in: journal)
            let create = RecipientChange(name: Self.name("anna"), kind: .replace(RecipientDocument()))
            guard case .unusable? = await journal.apply([create]).first else {
                Issue.record("the receiver was created")
                return
            }
            let lifted = await journal.apply([RecipientChange(name: Self.name("anna"), kind: .remove)])
            #expect(lifted == [.removed])
            let found = await journal.recipient(Self.name("anna"))
            #expect(found.stored == nil)
            guard case .stored? = await journal.apply([create]).first else {
                Issue.record("the receiver was not created")
                return
            }
        }
    }

    @Test func `a second erasure of a suppressed recipient succeeds`() async throws {
        try await bench.with { journal in
            try await erase("anna", in: journal)
            try await erase("anna", in: journal)
            let found = await journal.recipient(Self.name("anna"))
            #expect(found.stored?.isErased == true)
        }
    }

    @Test func `an erasure that cannot remove callbacks keeps the recipient`() async throws {
        try await bench.with { journal in
            _ = await journal.apply([RecipientChange(name: Self.name("anna"), kind: .replace(RecipientDocument()))])
            let database = try bench.database()
            try await database.database.write { try $0.execute(sql: "ALTER TABLE callback RENAME TO lost") }
            let target = ErasureTarget(group: .default, kind: .recipient, name: "anna")
            let step = try await journal.nextStep(of: target, names: [])
            #expect(step.isLast)
            await #expect(throws: MediaFailure.self) { try await journal.erase(step) }
            guard case .stored = await journal.find(Self.name("anna")) else {
                Issue.record("the receiver was removed")
                return
            }
        }
    }
}

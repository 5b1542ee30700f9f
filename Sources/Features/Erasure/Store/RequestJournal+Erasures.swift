import Base
import FoundationEssentials
import GRDB
import LinuxIO
package import NotificationModel
package import RequestJournal
import SQLiteFiles

/// The table of the records of erasures.
package struct ErasureTable: JournalTable {
    /// The time for which a record is kept after the end of its erasure.
    private let retention: Duration
    let reader: JournalReader

    package init(_ context: JournalContext) {
        retention = context.limits.lists.retention
        reader = context.reader(for: .searches)
    }

    package static var erasedTables: [String] { ["erasure"] }
    package static var migrations: JournalMigrations {
        [6: ErasureRows.createTables, 11: ErasureRows.changeTables]
    }

    package func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool {
        try transaction.database.execute(
            sql: "DELETE FROM erasure WHERE endedAt < ?",
            arguments: [transaction.date(before: retention).timeIntervalSince1970])
        return false
    }
}

/// The erasure of results, rows of all tables and files of the outbox, and the records of erasures.
extension RequestJournal: ErasureStoring {
    package static var erasedPlaces: [String] { ["journal.sqlite/request", ".appgroupd/values", "outbox", ".staged"] }

    package func store(_ erasure: Erasure) async -> Bool {
        if erasure.suppresses, erasure.state == .running, erasure.counts == ErasureCounts() {
            let group = erasure.target.group
            do {
                let names = try await names(of: RecipientName(group: group, name: erasure.target.name))
                guard await suppress(names.map { RecipientName(group: group, name: $0) }) else { return false }
            } catch {
                warn("suppress", "an erased receiver cannot be suppressed: \(error.detail)")
                return false
            }
        }
        return (try? await write { try ErasureRows($0.database).store(erasure) }) != nil
    }

    package func erasure(_ id: String) async -> Erasure? { (try? read { try ErasureRows($0).erasure(id) }) ?? nil }

    package func openErasures() async throws(MediaFailure) -> [Erasure] { try read { try ErasureRows($0).open() } }

    package func nextStep(of target: ErasureTarget, names: [String]) async throws(MediaFailure) -> ErasureStep {
        var known = Set(names)
        if target.kind == .recipient {
            known.formUnion(try await self.names(of: RecipientName(group: target.group, name: target.name)))
        }
        return try read { [known] in try ErasureRows($0).nextStep(of: target, names: known.sorted()) }
    }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        counts.spoolFiles = try eraseOutbox(step.keys)
        counts += try await write { transaction in
            var counts = try transaction.erase(step)
            for key in step.keys {
                try transaction.delete("appGroup = ? AND id = ? AND emittedAt IS NOT NULL", key.columns)
            }
            counts.results = transaction.effects.deletedRows
            return counts
        }
        if step.isLast { counts += try await eraseRest(of: step) }
        return counts
    }

    package nonisolated func search(
        by matcher: ErasureMatcher, from place: inout ErasureSearchPlace
    ) async throws(MediaFailure) -> (step: ErasureStep, mentions: Int)? {
        var (step, mentions) = (matcher.step, 0)
        let group = step.target.group
        let reader = self[ErasureTable.self].reader
        do {
            let texts = try await reader.snapshot { [place] database in
                try self.texts(
                    ofPart: place.part, in: group, after: place.number, atMost: ErasureRows.maxOfStep, database)
            }
            // No part follows the last one.
            guard let texts else { return nil }
            guard let last = texts.last else {
                (place.part, place.number) = (place.part + 1, 0)
                return (step, 0)
            }
            place.number = last.place
            for text in texts {
                var match = ErasureMatcher.Match.none
                for value in text.values { match = max(match, matcher.match(result: try await stored(value))) }
                // The line of a campaign is no request without its template, which others have, too.
                if text.isTemplated, !step.includesMentions { match = min(match, .mentions) }
                if match == .concerns { step.keys.insert(text.key) }
                if match == .mentions, !text.isCopy { mentions += 1 }
            }
            let keys = step.keys
            if !keys.isEmpty { step.listed = try await reader.snapshot { try ErasureRows($0).listed(keys) } }
            return (step, mentions)
        } catch {
            throw MediaFailure(.storageFailed, "the results cannot be searched: \(JournalFile.words(for: error))")
        }
    }

    /// Returns the bytes of a value; empty if its file was removed in the meantime.
    private nonisolated func stored(_ value: StoredValue) async throws -> [UInt8] {
        do throws(SystemError) { return try await bytes(of: value) } catch {
            guard error.isNoSuchFile else { throw error }
            return []
        }
    }

    package func scrub(_ group: AppGroupName) async throws(MediaFailure) -> Bool {
        var scrub = PageScrub()
        while true {
            switch try withoutTransaction({ try scrub.step(in: $0) }) {
            case .done: return true
            case .waits: return false
            // Other transactions of the journal run between two steps.
            case .goesOn: await Task.yield()
            }
        }
    }
}

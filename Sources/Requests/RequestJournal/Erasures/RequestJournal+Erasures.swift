import Base
import FoundationEssentials
import GRDB
import LinuxIO
package import NotificationModel
import SQLiteFiles

/// The table of the records of erasures.
struct ErasureTable: JournalTable {
    /// The time for which a record is kept after the end of its erasure.
    let retention: Duration

    static var erasedTables: [String] { ["erasure"] }
    static var migrations: JournalMigrations {
        [6: ErasureRows.createTables, 11: ErasureRows.changeTables]
    }

    func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool {
        try transaction.database.execute(
            sql: "DELETE FROM erasure WHERE endedAt < ?",
            arguments: [transaction.date(before: retention).timeIntervalSince1970])
        return false
    }
}

/// The erasure of results, list rows, receivers and files of the outbox, and the records of erasures.
extension RequestJournal: ErasureStoring {
    package static var erasedPlaces: [String] {
        let tables = ["request"] + JournalTables.types.flatMap { $0.erasedTables }
        return tables.map { "journal.sqlite/" + $0 } + [".appgroupd/values", "outbox", ".staged"]
    }

    package func store(_ erasure: Erasure) async -> Bool {
        if erasure.suppresses, erasure.state == .running, erasure.counts == ErasureCounts() {
            guard await suppress(erasure.target) else { return false }
        }
        return (try? using { try $0.database.write { try ErasureRows($0).store(erasure) } }) != nil
    }

    /// The maximum number of callbacks that are removed in one transaction.
    private static let mostErasedCallbacks = 500

    /// Stores the digests of all names of a receiver. Repeated calls have no further effect.
    private func suppress(_ target: ErasureTarget) async -> Bool {
        do {
            let names = try using { try $0.database.read { try ErasureRows($0).names(of: target) } }
            try tables.receivers.suppression.begin()
            let receivers = names.map { ReceiverName(group: target.group, name: $0) }
            let erased = receivers.compactMap(tables.receivers.suppression.erasedName)
            guard let id = erased.first else { return false }
            var document = ReceiverDocument()
            document.settings[.service] = false
            document.names = erased.dropFirst().map(\.name)
            let answer = await apply([ReceiverChange(name: id, kind: .replace(document))]).first
            guard case .stored? = answer else { return false }
            // Requests that were planned before are planned again, and end without the receiver's data.
            receiverChanges.note(Set(receivers), try database.receiverTotals())
            return true
        } catch {
            warnings.report("suppress", "an erased receiver cannot be suppressed: \(error)")
            return false
        }
    }

    package func erasure(_ id: String) async -> Erasure? {
        (try? using { try $0.database.read { try ErasureRows($0).erasure(id) } }) ?? nil
    }

    package func openErasures() async throws(MediaFailure) -> [Erasure] {
        try using { try $0.database.read { try ErasureRows($0).open() } }
    }

    package func nextStep(of target: ErasureTarget, names: [String]) async throws(MediaFailure) -> ErasureStep {
        try using { try $0.database.read { try ErasureRows($0).nextStep(of: target, names: names) } }
    }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var outboxFiles = 0
        for key in step.keys {
            do throws(SystemError) { outboxFiles += try outbox.erase(key) } catch {
                throw MediaFailure(.storageFailed, "the result \(key.id) cannot be removed: \(error)")
            }
        }
        let messages = step.isLast ? try await namedMessages(of: step) : NamedMatches()
        var (counts, effects) = try using { journal in
            try journal.transaction { transaction in
                var counts = ErasureCounts()
                for table in transaction.tables { counts += try table.erase(step, in: &transaction) }
                for key in step.keys {
                    try transaction.delete("appGroup = ? AND id = ? AND emittedAt IS NOT NULL", key.columns)
                }
                counts.results = transaction.effects.deletedRows
                // Another call may have removed a message since.
                let rows = MessageRows(transaction.database)
                for version in messages.concerned where try rows.delete(version, &transaction) {
                    counts.namedMessages += 1
                }
                return counts
            }
        }
        counts.spoolFiles = outboxFiles
        counts.mentions = messages.mentions
        // The files are gone before the step is counted, because a killed daemon would find no row with their names.
        let freed = effects.freedFiles
        effects.freedFiles = []
        note(effects)
        await valueLoop.perform { [files] in files.remove(freed) }
        if step.isLast {
            try? forgetTemplates()
            await valueLoop.perform {}
            counts.callbacks += try await eraseCallbacks(step)
            counts += try await eraseReceivers(step)
        }
        return counts
    }

    /// The named messages that concern a target, by their versions, and the number of those that mention it.
    private struct NamedMatches {
        var concerned: [Int] = []
        var mentions = 0
    }

    /// Returns the named messages whose envelopes concern or mention the target of a step.
    ///
    /// The envelopes may have 256 MiB in all, so they are read and parsed outside of the transaction in which requests
    /// wait.
    private nonisolated func namedMessages(of step: ErasureStep) async throws(MediaFailure) -> NamedMatches {
        do {
            let group = step.target.group
            let versions = try await listReader.snapshot { try MessageRows($0).versions(in: group) }
            guard step.target.kind != .group else { return NamedMatches(concerned: versions) }
            let matcher = ErasureMatcher(step)
            var matches = NamedMatches()
            for version in versions {
                let envelope = try await envelope(ofVersion: version)
                let object = try? JSONParser.value(of: envelope).object
                switch matcher.match(envelope, as: object, in: group) {
                case .none: break
                case .mentions: matches.mentions += 1
                case .concerns: matches.concerned.append(version)
                }
            }
            return matches
        } catch {
            throw MediaFailure(.storageFailed, "the named messages cannot be read: \(JournalFile.words(for: error))")
        }
    }

    package nonisolated func search(
        by matcher: ErasureMatcher, from place: inout ErasureSearchPlace
    ) async throws(MediaFailure) -> (step: ErasureStep, mentions: Int)? {
        var (step, mentions) = (matcher.step, 0)
        let group = step.target.group
        do {
            let texts = try await erasureReader.snapshot { [place] in
                try ErasureRows($0).texts(in: group, after: place)
            }
            guard let last = texts.last else {
                switch place.part {
                case .requests: place.part = .lists
                case .lists: place.part = .callbacks
                case .callbacks: return nil
                }
                place.number = 0
                return (step, 0)
            }
            place.number = last.place
            for request in texts {
                var match = ErasureMatcher.Match.none
                for value in request.values { match = max(match, matcher.match(result: try await bytes(of: value))) }
                // The line of a campaign is no request without its template, which others have, too.
                if request.isTemplated, !step.includesMentions { match = min(match, .mentions) }
                if match == .concerns { step.keys.insert(request.key) }
                // The request of a callback is counted by its result.
                if match == .mentions, place.part != .callbacks { mentions += 1 }
            }
            let keys = step.keys
            if !keys.isEmpty {
                step.listed = try await erasureReader.snapshot { try ErasureRows($0).listed(keys) }
            }
            return (step, mentions)
        } catch {
            throw MediaFailure(.storageFailed, "the results cannot be searched: \(JournalFile.words(for: error))")
        }
    }

    /// Returns the bytes of a value; empty if its file was removed in the meantime.
    private nonisolated func bytes(of value: MessageRows.Value) async throws -> [UInt8] {
        do throws(SystemError) { return try await read(value) } catch {
            guard error.isNoSuchFile else { throw error }
            return []
        }
    }

    private nonisolated func read(_ value: MessageRows.Value) async throws(SystemError) -> [UInt8] {
        switch value {
        case .bytes(let bytes): bytes
        case .file(let name):
            try await valueLoop.perform { [files] () throws(SystemError) in try files.bytes(of: name) }
        }
    }

    /// Returns the envelope of a version; empty if the version was replaced or removed in the meantime.
    private nonisolated func envelope(ofVersion version: Int) async throws -> [UInt8] {
        func stored() async throws -> MessageRows.Value? {
            try await listReader.snapshot { try MessageRows($0).envelope(ofVersion: version) }
        }
        guard let value = try await stored() else { return [] }
        do { return try await read(value) } catch {
            guard try await stored() == nil else { throw error }
            return []
        }
    }

    /// Removes the receiver of the target, or all receivers of the group, after their notifications.
    private func eraseReceivers(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        let group = step.target.group
        var names: [String] = []
        switch step.target.kind {
        case .recipient:
            // The removal of a receiver that does not exist would lift its suppression.
            let id = ReceiverName(group: group, name: step.target.name)
            if try using({ try $0.database.read { try ReceiverRows($0).find(id) } }) != nil { names = [id.name] }
        case .group:
            names = try using { try $0.database.read { try ReceiverRows($0).ids(in: group, atMost: 200) } }
        case .id, .providerID, .thread: break
        }
        guard !names.isEmpty else { return counts }
        let changes = names.map { ReceiverChange(name: ReceiverName(group: group, name: $0), kind: .remove) }
        for answer in await apply(changes) {
            switch answer {
            case .removed: counts.receivers += 1
            case .failed: throw MediaFailure(.storageFailed, "a receiver cannot be removed")
            default: break
            }
        }
        return counts
    }

    /// Removes the messages about the target whose notifications are not in the lists. They are found over another
    /// connection, because the whole table is read, and removed in transactions between which others run.
    private func eraseCallbacks(_ step: ErasureStep) async throws(MediaFailure) -> Int {
        let found: [Int]
        do {
            found = try await erasureReader.snapshot { try CallbackRows($0).numbers(concerning: step) }
        } catch {
            throw MediaFailure(.storageFailed, "the callbacks cannot be read: \(file.problem(for: error))")
        }
        var (left, count) = (found[...], 0)
        while !left.isEmpty {
            let numbers = left.prefix(Self.mostErasedCallbacks)
            left = left.dropFirst(Self.mostErasedCallbacks)
            count += try using { try $0.database.write { try CallbackRows($0).remove(numbers) } }
            await Task.yield()
        }
        return count
    }

    package func scrub(_ group: AppGroupName) async throws(MediaFailure) -> Bool {
        var scrub = PageScrub()
        while true {
            switch try using({ try $0.database.writeWithoutTransaction { try scrub.step(in: $0) } }) {
            case .done: return true
            case .waits: return false
            // Other transactions of the journal run between two steps.
            case .goesOn: await Task.yield()
            }
        }
    }

    private func using<Value>(_ body: (JournalDatabase) throws -> Value) throws(MediaFailure) -> Value {
        do { return try body(database) } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be changed: \(file.problem(for: error))")
        }
    }
}

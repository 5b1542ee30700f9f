import LinuxIO
package import NotificationModel
import Primitives

/// The store of receivers: their settings, names and labels, in the journal's database.
///
/// Changes share the transactions of requests, so a change is on the disk when it is answered. Look-ups read the
/// database over a second connection, on a thread that syncs nothing.
extension RequestJournal: ReceiverStoring {
    struct ReceiverWrite: Sendable {
        let change: ReceiverChange
        let answer = Waiter<ReceiverAnswer>()
    }

    package nonisolated func receiver(_ name: ReceiverName) async -> ReceiverLookup {
        // The mark is taken before the read, so that a change between the two makes it stale.
        let (revision, isEmpty) = receiverChanges.current()
        let mark = ReceiverMark(name: name, revision: revision)
        return isEmpty ? ReceiverLookup(mark: mark, stored: nil) : await receiverLookups.lookup(mark)
    }

    package nonisolated func isStale(_ mark: ReceiverMark) -> Bool { receiverChanges.isStale(mark) }

    package nonisolated func find(_ name: ReceiverName) async -> ReceiverAnswer {
        await lookupLoop.perform { [receiverReader] in
            do {
                guard let found = try receiverReader.readReceivers({ try $0.find(name) }) else { return .unknown }
                return .stored(found.receiver, isNew: false)
            } catch {
                return .failed(JournalFile.words(for: error))
            }
        }
    }

    package nonisolated func apply(_ changes: [ReceiverChange]) async -> [ReceiverAnswer] {
        let writes = changes.map { ReceiverWrite(change: $0) }
        add { $0.receivers += writes }
        var answers: [ReceiverAnswer] = []
        for write in writes { answers.append(await write.answer.value()) }
        return answers
    }

    package nonisolated func deadNames(among names: [String], in group: AppGroupName) async -> Set<String> {
        guard !receiverChanges.current().isEmpty else { return [] }
        return await lookupLoop.perform { [receiverReader] in
            let dead = try? receiverReader.readReceivers { rows in
                try names.filter { try rows.isDead(ReceiverName(group: group, name: $0)) }
            }
            return Set(dead ?? [])
        }
    }
}

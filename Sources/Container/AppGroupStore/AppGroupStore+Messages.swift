import Base
package import NotificationModel
import SQLiteFiles

/// The record of the messages that show files. Messages that arrive at the same time share a transaction of the index.
/// `leaseMargin` names what this saves.
extension AppGroupStore {
    /// A message that waits for its transaction.
    struct UnrecordedMessage: Sendable {
        let message: MessageRecord
        let group: AppGroupName
        /// Gets the error of the transaction; `nil` if the message is written.
        let answer = Waiter<MediaFailure?>()
    }

    /// The maximum number of messages in one transaction. Between two transactions, the thread does other work.
    private static let batchSize = 64
    /// The time in which further messages join a transaction that already has two messages.
    private static let batchDelay: Duration = .milliseconds(10)

    /// Writes the files of a message to the index, and waits for the transaction. If the index fails, the message keeps
    /// its attachments, because the files are already durable.
    package func record(_ message: MessageRecord, in group: AppGroupName) async throws(MediaFailure) {
        let waiting = UnrecordedMessage(message: message, group: group)
        unrecorded.append(waiting)
        // The first message writes the messages that join it.
        if unrecorded.count == 1 {
            await Task.yield()
            if unrecorded.count > 1 { try? await Task.sleep(for: Self.batchDelay) }
            await writeMessages()
        }
        if let failure = await waiting.answer.value() { throw failure }
    }

    /// Writes the messages of a provider's id at once, for a push that uses their files.
    func writeMessages(of providerID: String, in group: AppGroupName) async {
        if unrecorded.contains(where: { $0.group == group && $0.message.providerID == providerID }) {
            await writeMessages()
        }
    }

    /// Writes the waiting messages at once.
    func writeMessages() async {
        let groups = Dictionary(grouping: unrecorded, by: \.group)
        unrecorded = []
        for (group, messages) in groups {
            var rest = messages[...]
            while !rest.isEmpty {
                await write(rest.prefix(Self.batchSize), in: group)
                rest = rest.dropFirst(Self.batchSize)
                if !rest.isEmpty { await Task.yield() }
            }
        }
    }

    private func write(_ messages: ArraySlice<UnrecordedMessage>, in group: AppGroupName) async {
        do {
            try await DiskSpace.withFreeSpace(from: freeSpace) {
                let records = messages.map { withoutPurgedFiles($0.message, in: group) }
                try withIndex(of: group) { try $0.insert(records) }
            }
            for message in messages { try noteEarlyReceipts(of: message.message.id, in: group) }
            for message in messages { message.answer.resume(returning: nil) }
        } catch  where messages.count > 1 {
            // Each message gets its own error.
            for index in messages.indices { await write(messages[index...index], in: group) }
        } catch {
            let failure = MediaFailure(.storageFailed, "the message cannot be written to the index: \(error)")
            for message in messages { message.answer.resume(returning: failure) }
        }
    }
}

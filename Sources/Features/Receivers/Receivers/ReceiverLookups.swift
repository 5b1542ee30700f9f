import Base
import GRDB
import LinuxIO
import NotificationModel
import RequestJournal

/// The look-ups of receivers that wait for the thread of look-ups. All look-ups that have arrived share one wake-up of
/// the thread and one read transaction.
final class ReceiverLookups: Sendable {
    private struct Question: Sendable {
        let mark: ReceiverMark
        let answer = Waiter<ReceiverLookup>()
    }

    private let reader: JournalReader
    private let suppression: Suppression
    private let waiting = Guarded<[Question]>([])

    init(_ reader: JournalReader, _ suppression: Suppression) {
        (self.reader, self.suppression) = (reader, suppression)
    }

    /// Returns the settings of the receiver of a name.
    ///
    /// - Parameter mark: The name, and the state of the receivers before this call.
    func lookup(_ mark: ReceiverMark, on loop: EventLoop) async -> ReceiverLookup {
        let question = Question(mark: mark)
        let isFirst = waiting.withLock { waiting in
            waiting.append(question)
            return waiting.count == 1
        }
        if isFirst { loop.execute { self.answerAll() } }
        return await question.answer.value()
    }

    private func answerAll() {
        let questions = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let found = try? reader.read(inTransaction: questions.count > 1) { database in
            let rows = ReceiverRows(database: database, suppression: suppression)
            return try questions.map { try rows.settings(of: $0.mark.name) }
        }
        for (index, question) in questions.enumerated() {
            let mark = found == nil ? ReceiverMark(name: question.mark.name, revision: 0) : question.mark
            question.answer.resume(returning: ReceiverLookup(mark: mark, stored: found?[index]))
        }
    }
}

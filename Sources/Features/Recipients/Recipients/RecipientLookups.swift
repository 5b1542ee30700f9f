import Base
import GRDB
import LinuxIO
import NotificationModel
import RequestJournal

/// The look-ups of recipients that wait for the thread of look-ups. All look-ups that have arrived share one wake-up of
/// the thread and one read transaction.
final class RecipientLookups: Sendable {
    private struct Question: Sendable {
        let mark: RecipientMark
        let answer = Waiter<RecipientLookup>()
    }

    private let reader: JournalReader
    private let suppression: Suppression
    private let waiting = Guarded<[Question]>([])

    init(_ reader: JournalReader, _ suppression: Suppression) {
        (self.reader, self.suppression) = (reader, suppression)
    }

    /// Returns the settings of the recipient of a name.
    ///
    /// - Parameter mark: The name, and the state of the recipients before this call.
    func lookup(_ mark: RecipientMark, on loop: EventLoop) async -> RecipientLookup {
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
            let rows = RecipientRows(database: database, suppression: suppression)
            return try questions.map { try rows.settings(of: $0.mark.name) }
        }
        for (index, question) in questions.enumerated() {
            let mark = found == nil ? RecipientMark(name: question.mark.name, revision: 0) : question.mark
            question.answer.resume(returning: RecipientLookup(mark: mark, stored: found?[index]))
        }
    }
}

import Foundation
import GRDB
import NotificationModel

extension RequestOrigin {
    /// As the journal writes it: a word, and the spool file's name.
    var columns: (origin: String, fileName: String?) {
        switch self {
        case .spool(let fileName): ("spool", fileName)
        case .call: ("call", nil)
        case .detached: ("detached", nil)
        }
    }

    init(origin: String, fileName: String?) {
        self =
            switch (origin, fileName) {
            case (_, let fileName?): .spool(fileName: fileName)
            case ("call", nil): .call
            default: .detached
            }
    }
}

extension Row {
    /// A column of the type that it should have; `nil` where somebody has put another into it. GRDB's own subscript ends
    /// the process then.
    func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        let value: DatabaseValue = self[column]
        return Value.fromDatabaseValue(value)
    }

    /// Seconds since 1970, as far as a date has room for them.
    fileprivate func date(_ column: String) -> Date? {
        guard let seconds: Double = value(column), abs(seconds) < 1e11 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}

extension RequestKey {
    init?(_ row: Row) {
        guard let group = (row.value("appGroup") as String?).flatMap(AppGroupName.init),
            let id = (row.value("id") as String?).flatMap(RequestID.init)
        else { return nil }
        self.init(group: group, id: id)
    }
}

extension JournalEntry {
    /// - Parameter files: where the body is if the row names a file.
    init?(_ row: Row, _ files: ValueFiles) {
        let stored: Data? = row.value("body")
        let file: String? = row.value("bodyFile")
        guard let key = RequestKey(row),
            let body = stored.map(Array.init) ?? file.flatMap({ try? files.bytes(of: $0) }),
            let fingerprint: Data = row.value("fingerprint"), let receivedAt = row.date("receivedAt"),
            let deadline = row.date("deadline")
        else { return nil }
        self.init(
            key: key, origin: RequestOrigin(origin: row.value("origin") ?? "", fileName: row.value("fileName")),
            fingerprint: Array(fingerprint), body: body, receivedAt: receivedAt, deadline: deadline,
            attempts: row.value("attempts") ?? 0)
    }
}

extension JournalDatabase.Result {
    /// The columns emittedAt, outcome, reason, content, contentFile and contentBytes.
    func columns(at now: Double) -> StatementArguments {
        [
            now, content.outcome.rawValue, content.reason?.rawValue, contentFile == nil ? Data(content.json) : nil,
            contentFile, content.json.count,
        ]
    }

    /// The same columns of a request without a result.
    static let noColumns = StatementArguments(Array(repeating: Int?.none, count: 6))

    init?(_ row: Row) {
        let content: Data? = row.value("content")
        contentFile = row.value("contentFile")
        guard let key = RequestKey(row), let outcome = (row.value("outcome") as String?).flatMap(Outcome.init),
            content != nil || contentFile != nil
        else { return nil }
        self.content = EmittedContent(
            key: key, outcome: outcome, reason: (row.value("reason") as String?).flatMap(DegradationReason.init),
            json: content.map(Array.init) ?? [])
    }

    /// Returns the content with its JSON; `nil` if it is in a file that cannot be read.
    func read(from files: ValueFiles) -> EmittedContent? {
        guard let contentFile else { return content }
        guard let json = try? files.bytes(of: contentFile) else { return nil }
        var content = content
        content.json = json
        return content
    }
}

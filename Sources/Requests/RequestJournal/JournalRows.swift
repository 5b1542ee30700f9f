import Foundation
package import GRDB
package import NotificationModel
import SQLiteFiles

extension RequestChannel {
    /// The columns of a channel: its name, and the name of the spool file.
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
    /// Returns the date of a column in seconds since 1970; `nil` if the number is outside the range of dates.
    fileprivate func date(_ column: String) -> Date? {
        guard let seconds: Double = value(of: column), abs(seconds) < 1e11 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}

extension RequestKey {
    /// The columns appGroup and id.
    package var columns: StatementArguments { [group.description, id.description] }

    package init?(_ row: Row) {
        guard let group = (row.value(of: "appGroup") as String?).flatMap(AppGroupName.init),
            let id = (row.value(of: "id") as String?).flatMap(RequestID.init)
        else { return nil }
        self.init(group: group, id: id)
    }
}

extension JournalEntry {
    /// Reads a request from its row, and from the value file that the row names for a large body.
    init?(_ row: Row, _ files: ValueFiles) {
        let stored: Data? = row.value(of: "body")
        let file: String? = row.value(of: "bodyFile")
        guard let key = RequestKey(row),
            let body = stored.map(Array.init) ?? file.flatMap({ try? files.bytes(of: $0) }),
            let fingerprint: Data = row.value(of: "fingerprint"), let receivedAt = row.date("receivedAt"),
            let deadline = row.date("deadline")
        else { return nil }
        self.init(
            key: key,
            channel: RequestChannel(origin: row.value(of: "origin") ?? "", fileName: row.value(of: "fileName")),
            fingerprint: Array(fingerprint), body: body, receivedAt: receivedAt, deadline: deadline,
            attempts: row.value(of: "attempts") ?? 0)
    }
}

extension JournalDatabase.Result {
    /// Returns the columns emittedAt, outcome, reason, content, contentFile and contentBytes.
    func columns(at now: Double) -> StatementArguments {
        [
            now, content.outcome.rawValue, content.reason?.rawValue, contentFile == nil ? Data(content.json) : nil,
            contentFile, content.json.count,
        ]
    }

    /// The six columns of a result for a request without a result: all are NULL.
    static let noColumns = StatementArguments(Array(repeating: Int?.none, count: 6))

    init?(_ row: Row) {
        let content: Data? = row.value(of: "content")
        contentFile = row.value(of: "contentFile")
        guard let key = RequestKey(row), let outcome = (row.value(of: "outcome") as String?).flatMap(Outcome.init),
            content != nil || contentFile != nil
        else { return nil }
        self.content = EmittedContent(
            key: key, outcome: outcome, reason: (row.value(of: "reason") as String?).flatMap(DegradationReason.init),
            json: content.map(Array.init) ?? [])
    }

    /// Returns the content with its JSON; `nil` if the JSON is in a file that cannot be read.
    func read(from files: ValueFiles) -> EmittedContent? {
        guard let contentFile else { return content }
        guard let json = try? files.bytes(of: contentFile) else { return nil }
        var content = content
        content.json = json
        return content
    }
}

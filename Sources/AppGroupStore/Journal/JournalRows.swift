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

extension RequestKey {
    init?(_ row: Row) {
        guard let group = AppGroupName(row["appGroup"]), let id = RequestID(row["id"]) else { return nil }
        self.init(group: group, id: id)
    }
}

extension JournalEntry {
    init?(_ row: Row) {
        guard let key = RequestKey(row), let body = row["body"] as Data? else { return nil }
        self.init(
            key: key, origin: RequestOrigin(origin: row["origin"], fileName: row["fileName"]),
            fingerprint: Array(row["fingerprint"] as Data), body: Array(body),
            receivedAt: Date(timeIntervalSince1970: row["receivedAt"]),
            deadline: Date(timeIntervalSince1970: row["deadline"]), attempts: row["attempts"])
    }
}

extension EmittedContent {
    init?(_ row: Row) {
        guard let key = RequestKey(row), let outcome = Outcome(rawValue: row["outcome"]),
            let content = row["content"] as Data?
        else { return nil }
        self.init(
            key: key, outcome: outcome, reason: (row["reason"] as String?).flatMap(DegradationReason.init),
            json: Array(content))
    }
}

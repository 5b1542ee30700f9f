import Base
import Foundation
import NotificationModel
import RequestJournal

/// The names, the labels and the dead names of a recipient in one column, as JSON.
extension RecipientDocument {
    /// The text of the column; `nil` if the recipient has only its id and its settings.
    var stored: String? {
        guard !names.isEmpty || !labels.isEmpty || !dead.isEmpty else { return nil }
        let dead = dead.map { dead -> JSONValue in
            [
                "name": .string(dead.name), "since": .number(JSONNumber(Int(dead.since.timeIntervalSince1970))),
                "by": dead.replacement.map { .string($0) } ?? .null,
            ]
        }
        return JSONWriter.text(
            of: [
                "names": .array(names.map { .string($0) }), "labels": .array(labels.map { .string($0) }),
                "dead": .array(dead),
            ])
    }

    /// Reads the column. Values that cannot be read are left out, because the settings apply without them.
    init(stored: String?) {
        self.init()
        guard let stored, let value = try? JSONParser.value(of: Array(stored.utf8)) else { return }
        names = value["names"]?.array?.compactMap(\.string) ?? []
        labels = value["labels"]?.array?.compactMap(\.string) ?? []
        dead = (value["dead"]?.array ?? []).compactMap { dead in
            guard let name = dead["name"]?.string else { return nil }
            return DeadName(
                name: name, since: Date(timeIntervalSince1970: Double(dead["since"]?.integer ?? 0)),
                replacement: dead["by"]?.string)
        }
    }
}

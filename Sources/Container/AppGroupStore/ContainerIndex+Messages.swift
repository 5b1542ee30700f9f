import Base
import FoundationEssentials
import GRDB
import NotificationModel

/// The rows of emitted messages, and of the files that they show.
extension ContainerIndex {
    /// The maximum size of a text or of a JSON value, in bytes. A push has at most 5 KiB, but other requests may be longer.
    static let maxText = 16_384

    /// Writes messages and their files in one transaction, in place of earlier messages with the same ids.
    func insert(_ messages: [MessageRecord]) throws {
        try database.write { database in
            var inserted: [String: StoredAsset] = [:]
            for asset in messages.flatMap(\.attachments).flatMap(\.assets) where inserted[asset.sha256] != asset {
                try Self.insert(asset, into: database)
                inserted[asset.sha256] = asset
            }
            for message in messages {
                try Self.insert(message, into: database)
                try Self.insertFiles(of: message, into: database)
            }
        }
    }

    private static func insert(_ message: MessageRecord, into database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO message
                    (id, providerId, emittedAt, prefetchedFor, kind, outcome, reason, thread, expiresAt,
                    title, subtitle, body, fallback, expired, actions, keys, details)
                VALUES (?, ?, unixepoch(), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let content = message.content
        try statement.execute(arguments: [
            message.id.description, message.providerID, message.prefetchedFor?.column, content?.kind,
            content?.outcome.rawValue, content?.reason?.rawValue, content?.thread.flatMap(shortened),
            content?.expiresAt.flatMap(wholeSeconds), content?.text.title.flatMap(shortened),
            content?.text.subtitle.flatMap(shortened), content?.text.body.flatMap(shortened),
            content?.fallback?.json, content?.expired?.json, content?.actionList, content?.keys,
            content?.otherDetails,
        ])
    }

    private static func insertFiles(of message: MessageRecord, into database: Database) throws {
        guard !message.attachments.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO messageAsset
                    (messageId, position, kind, sha256, identifier, url, profile, sourceType, sourceBytes,
                    recipe, count, role, damage, source)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (position, attachment) in message.attachments.enumerated() {
            for asset in attachment.assets {
                try statement.execute(arguments: [
                    message.id.description, position, asset.info.kind.rawValue, asset.sha256,
                    attachment.identifier, attachment.url, message.profile, attachment.sourceType,
                    attachment.sourceByteCount, attachment.recipe?.key ?? "", attachment.assets.count,
                    attachment.role.rawValue, attachment.damage, attachment.source?.json.text,
                ])
            }
        }
    }

    /// Returns a date in whole seconds since 1970, rounded down, so that no message is shown as valid after its expiry.
    /// Returns `nil` for a date that a column cannot have.
    private static func wholeSeconds(of date: Date) -> Int? {
        Int(exactly: date.timeIntervalSince1970.rounded(.down))
    }

    /// Returns the start of a text that is too long, with an ellipsis; `nil` for an empty text.
    private static func shortened(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        guard text.utf8.count > maxText else { return text }
        // The index is rounded down to a whole Unicode scalar.
        return text[..<text.utf8.index(text.startIndex, offsetBy: maxText)] + "…"
    }
}

/// The columns of a message that contain JSON.
extension MessageContent {
    /// The details with columns of their own, and the labels, which are the titles of `actions`.
    private static let shownDetails: Set<String> = ["kind", "keys", "labels"]

    fileprivate var kind: String? { details["kind"]?.string }

    fileprivate var actionList: String? {
        let list = actions.map { action -> JSONValue in
            var object: JSONObject = ["identifier": .string(action.identifier), "title": .string(action.title)]
            if let link = action.link { object.append("link", .string(link)) }
            return .object(object)
        }
        return list.isEmpty ? nil : JSONValue.array(list).column
    }

    fileprivate var keys: String? { details["keys"]?.column }

    fileprivate var otherDetails: String? {
        let others = details.members.filter { !Self.shownDetails.contains($0.key) }
        return others.isEmpty ? nil : JSONValue.object(JSONObject(members: others)).column
    }
}

extension NotificationText {
    /// The lines that are not empty, as JSON.
    fileprivate var json: String? {
        var lines = JSONObject()
        for (key, line) in [("title", title), ("subtitle", subtitle), ("body", body)] {
            if let line, !line.isEmpty { lines.append(key, .string(line)) }
        }
        return JSONValue.object(lines).column
    }
}

extension JSONValue {
    /// The value as JSON; `nil` if it is too long for a column.
    fileprivate var column: String? {
        let text = self.text
        return text.utf8.count > ContainerIndex.maxText ? nil : text
    }
}

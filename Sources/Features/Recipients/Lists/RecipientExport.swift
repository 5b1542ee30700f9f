import Base
import HTTPAPI
import NotificationModel

/// The lines of `GET /v1/recipients/{id}/export`: everything that is stored about a recipient.
///
/// The export reads one page or one message at a time, and reads on when the client has received it, so that a recipient
/// with many notifications fills no memory.
struct RecipientExport: Sendable {
    /// The stores of the data.
    let sources: ListRoutes
    let name: RecipientName
    let names: [String]

    /// Writes a line for the recipient, each notification and each named message, and a summary at the end.
    func run(_ write: @escaping @Sendable ([UInt8]) async -> Void) async {
        var recipient: Recipient?
        if case .stored(let stored, _) = await sources.recipients.find(name) { recipient = stored }
        await write(Self.line("recipient", recipient?.json ?? .null))
        let notifications = await writeNotifications(write)
        let messages = await writeMessages(write)
        await write(
            Self.line(
                "summary",
                [
                    "notifications": .number(notifications ?? 0), "messages": .number(messages ?? 0),
                    "complete": .bool(notifications != nil && messages != nil && !Task.isCancelled),
                ]))
    }

    /// - Returns: The number of notifications; `nil` if the lists could not be read to their end.
    private func writeNotifications(_ write: @Sendable ([UInt8]) async -> Void) async -> Int? {
        // The lists find the results of a recipient.
        guard await sources.listing.reaches(sources.context.clock.date) else { return nil }
        var query = ListQuery(group: name.group)
        (query.recipients, query.order) = (names, .oldest)
        var count = 0
        repeat {
            guard !Task.isCancelled, let page = await sources.listing.list(query) else { return nil }
            for listed in page.elements {
                let content = await sources.coordinator.content(of: listed)
                await write(Self.line("notification", listed.json(with: content)))
                count += 1
            }
            query.after = page.next
        } while query.after != nil
        return count
    }

    /// - Returns: The number of named messages to the recipient; `nil` if they could not be read.
    private func writeMessages(_ write: @Sendable ([UInt8]) async -> Void) async -> Int? {
        let store = sources.messages
        guard let messages = await store.messages(in: name.group) else { return nil }
        var count = 0
        for message in messages {
            guard !Task.isCancelled else { return nil }
            // A message may be removed meanwhile.
            guard let bytes = await store.envelope(of: message), let envelope = try? JSONParser.value(of: bytes).object,
                !store.recipients(of: envelope, in: name.group).isDisjoint(with: names)
            else { continue }
            await write(
                Self.line("message", ["name": .string(message.key.name.description), "envelope": .object(envelope)]))
            count += 1
        }
        return count
    }

    private static func line(_ kind: String, _ value: JSONValue) -> [UInt8] {
        JSONWriter.bytes(of: .object([kind: value])) + [UInt8(ascii: "\n")]
    }
}

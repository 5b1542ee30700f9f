import Base
import FoundationEssentials
import NotificationModel

/// The dialect of ntfy. A payload is a JSON message (`event`, `topic`, `attachment{…}`), or the JSON that publishes one
/// (`topic`, `attach`). On APNs a message is flat, and every value is a string (`attachment_url`, tags with commas,
/// actions as JSON).
///
/// The keys for publishing are those of docs.ntfy.sh, "Publish as JSON". The flat keys are those of the server's
/// `server_firebase.go`. Priorities, and the text instead of an attachment, are those of the vendor's iOS app
/// (`NotificationContent.swift`).
struct NtfyDialect: APSDialect {
    let id: DialectID = "ntfy"
    var marks: [[String]] { [["topic", "event"], ["attachment_url", "attachment_name"]] }

    /// Keys beside `attachment_url`. The server sends all of them together.
    private static let besideURL = ["attachment_name", "attachment_type", "attachment_size", "attachment_expires"]

    /// Keys of a message to publish. Other senders also have a `topic` beside a `message`, but none of these keys.
    private static let besideTopic = ["attach", "filename", "click", "markdown", "tags"]

    /// The receipts that events report about the message of a sequence.
    private static let receipts: [String: Receipt.Event] = ["message_clear": .read, "message_delete": .deleted]
    /// Events that the server sends to wake the app or to withdraw a message.
    private static let silentEvents: Set<String> = ["open", "keepalive", "message_delete", "message_clear"]

    /// The interruption level and the relevance by priority, where 1 is the lowest. Any other priority is treated as 3,
    /// the normal one. On APNs a message without a priority has 0.
    private static let importances: [Int: (level: InterruptionLevel, relevance: Double)] = [
        1: (.passive, 0), 2: (.passive, 0.25), 4: (.timeSensitive, 0.75), 5: (.critical, 1),
    ]

    /// The end of the year 9999, in seconds since 1970. A later date cannot be written.
    private static let lastSecond = 253_402_300_799.0

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["event"]?.string != nil, payload["topic"]?.string != nil { return "event+topic" }
        // Small senders also use `attachment_url`, but without the other keys.
        let isFlat = payload["attachment_url"]?.string != nil && Self.besideURL.contains { payload[$0]?.string != nil }
        if isFlat { return "attachment_url+attachment_*" }
        guard payload["topic"]?.string != nil, payload["event"] == nil, payload["aps"] == nil,
            payload["notification"] == nil, payload["image"] == nil
        else { return nil }
        return Self.besideTopic.first { payload[$0] != nil }.map { "topic+\($0)" }
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        // The events about a message name its sequence, which is the id of the first message unless the sender names it.
        reading.providerID = payload["sequence_id"].identifier ?? payload["id"].identifier
        // The server cuts the text in the alert after 100 bytes.
        let text = NotificationText(title: payload["title"].text, body: payload["message"].text)
        reading.successText = text.over(reading.successText)
        reading.textPlaces.append(.lines(of: payload, body: "message"))
        let importance = Self.importances[payload["priority"].looseInteger ?? 0] ?? (.active, 0.5)
        reading.aps.interruptionLevel = importance.level
        reading.aps.relevanceScore = importance.relevance
        if let event = payload["event"].string, Self.silentEvents.contains(event) { reading.isSilent = true }
        if let event = payload["event"].string.flatMap({ Self.receipts[$0] }),
            let id = payload["sequence_id"].identifier
        {
            reading.receipt = ReportedReceipt(event, of: .providerID(id))
        }
        let attachment = Self.attachment(of: payload)
        if let item = Self.item(attachment) {
            reading.media.append(item)
            reading.fallbackText = Self.fallback(for: attachment, reading.successText)
        }
        if let icon = MediaReference(payload["icon"], role: .icon) { reading.media.append(icon) }
        // The URL of the action `http` is a request that the app sends, and no link.
        reading.actions = payload["actions"].unpacked.actions(identifier: "id", title: "label") {
            $0["action"].string == "view" ? $0["url"] : nil
        }
        reading.details = Self.details(of: payload)
    }

    /// Returns a function that finds an attachment's value by its name in the JSON message, in any form of a payload.
    private static func attachment(of payload: JSONNode) -> (String) -> JSONNode {
        if payload["attachment"]["url"].text != nil { return { payload["attachment"][$0] } }
        guard payload["attach"].text != nil else { return { payload["attachment_" + $0] } }
        return { payload[["url": "attach", "name": "filename"][$0] ?? "attachment_" + $0] }
    }

    private static func item(_ attachment: (String) -> JSONNode) -> MediaReference? {
        let type = attachment("type").text.map { DeclaredMediaType.mimeType($0) }
        var item = MediaReference(
            attachment("url"), declaredType: type,
            claims: [MediaClaim.type(attachment("type"))]
                + MediaClaim.facts([(.byteCount, attachment("size")), (.fileName, attachment("name"))]))
        item?.declaredByteCount = attachment("size").looseInteger
        // The value 0 means that the file is on another server, which gives no expiry.
        if let expires = attachment("expires").looseDouble, expires > 0, expires <= lastSecond {
            item?.goneAt = Date(timeIntervalSince1970: expires)
        }
        return item
    }

    /// Returns the message, an empty line, and the name and size of the attachment; `nil` if the file has no name.
    private static func fallback(for attachment: (String) -> JSONNode, _ text: NotificationText) -> NotificationText? {
        guard let name = attachment("name").text else { return nil }
        let size = attachment("size").looseInteger.flatMap { $0 > 0 ? ", \($0) B" : nil }
        let lines = [text.body ?? "", "Attachment: " + name + (size ?? "")].filter { !$0.isEmpty }
        return NotificationText(body: lines.joined(separator: "\n\n")).over(text)
    }

    private static func details(of payload: JSONNode) -> JSONObject {
        var details = JSONObject()
        details.append("link", text: payload["click"].text)
        details.append("topic", text: payload["topic"].text)
        let tags =
            payload["tags"].elements.compactMap(\.text)
            + (payload["tags"].string ?? "").split(separator: ",").map(String.init)
        if !tags.isEmpty { details.append("tags", .array(tags.map { .string($0) })) }
        return details
    }
}

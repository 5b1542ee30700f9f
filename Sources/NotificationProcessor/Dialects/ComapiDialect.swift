import Base
import NotificationModel

/// The dialect of Comapi (Dotdigital's Engagement Cloud). A payload is a chat message, the event that announces one, or
/// another event of a conversation (``ComapiEvent``).
///
/// A message has `metadata`, `parts` and `alert.platforms`. An event has the message in its `payload`. Messages and
/// events have `messageId` and `conversationId`; the conversation may be in `context` instead. The sources are the
/// documentation of the vendor's iOS SDK ("Available events") and the events of its tests.
struct ComapiDialect: Dialect {
    let id: DialectID = "comapi"
    var marks: [[String]] { [["parts"], ["dd_deepLink"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if let event = ComapiEvent(payload.root), !Self.isMessage(event, payload.object) { return "name=\(event.name)" }
        if Self.hasParts(payload.root.value) { return "parts[]" }
        if Self.hasParts(payload["payload"]) { return "payload.parts[]" }
        return payload.find(ComapiDeepLink.mark)?.rule
    }

    private static func isMessage(_ event: ComapiEvent, _ payload: JSONObject) -> Bool {
        event.isMessage && (hasParts(.object(payload)) || hasParts(payload["payload"]))
    }

    /// Returns whether a message has parts. A message whose list of parts is empty has an alert.
    private static func hasParts(_ message: JSONValue?) -> Bool {
        guard let parts = message["parts"]?.array else { return false }
        let alert = message["alert"]
        return parts.contains { $0.object != nil }
            || parts.isEmpty && (alert["platforms"]?.object != nil || alert["text"]?.string != nil)
    }

    func read(_ payload: JSONNode) -> PushPayload {
        let event = ComapiEvent(payload)
        if let event, !event.isMessage { return Self.reading(of: event, in: payload) }
        let isNested = !Self.hasParts(payload.value) && (event != nil || Self.hasParts(payload["payload"].value))
        let message = isNested ? payload["payload"] : payload
        let parts = message["parts"].elements
        let link = ComapiDeepLink(in: payload)
        var reading = link.data.map { PushPayload(around: $0, in: payload) } ?? Self.push(payload, message["alert"])
        if reading.successText.body?.isEmpty ?? true, let text = Self.text(of: parts) {
            reading.successText.body = text
        }
        reading.media = parts.compactMap(Self.reference)
        reading.providerID =
            message["messageId"].identifier ?? payload["messageId"].identifier ?? message["id"].identifier
        let conversation =
            message["conversationId"].text ?? message["context"]["conversationId"].text
            ?? payload["conversationId"].text
        if reading.aps.threadIdentifier == nil { reading.aps.threadIdentifier = conversation }
        reading.senders = Self.senders(of: message) + [event?.profile].compactMap(\.self)
        reading.details = event?.details ?? JSONObject()
        reading.problems = [event?.problem].compactMap(\.self)
        let own = Self.details(of: message, conversation: conversation, link: link)
        for member in own.members where reading.details[member.key] == nil {
            reading.details.append(member.key, member.value)
        }
        // The event of a message may lack the parts, because the app fetches them. Without a text it shows nothing.
        if event != nil, parts.isEmpty { reading.isSilent = reading.successText.isBlank }
        if reading.lacksText {
            reading.problems.append(
                PayloadProblem(
                    "comapi-text-missing", message, "the message has no text",
                    fix: "Add alert.platforms, or a part of the type text/plain"))
        }
        return reading
    }

    /// Reads an event that announces no new message. It shows nothing without a visible alert in `aps`.
    private static func reading(of event: ComapiEvent, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.isSilent = !reading.aps.hasVisibleAlert
        reading.providerID = payload["eventId"].identifier ?? payload["id"].identifier
        reading.details = event.details
        reading.receipt = event.receipt
        reading.problems = [event.problem].compactMap(\.self)
        if reading.aps.threadIdentifier == nil { reading.aps.threadIdentifier = event.conversation }
        return reading
    }

    /// Returns the names of the profile that sent a message. `sentBy` may be a session, `session:ID`.
    private static func senders(of message: JSONNode) -> [String] {
        let context = message["context"]
        return [context["sentBy"].text, context["from"]["id"].text].compactMap { name in
            name.map { String($0.trimmingPrefix("session:")) }
        }
    }

    /// Reads the alert. `aps` takes precedence over the alert for APNs as the text for Apple's platforms. The alert for
    /// FCM is the text for Android, and the text for all platforms if there is no other. The vendor's SDK for JavaScript
    /// writes one text for all platforms (`withPush`).
    private static func push(_ payload: JSONNode, _ alert: JSONNode) -> PushPayload {
        let platforms = alert["platforms"]
        let apns = platforms["apns"]
        var push: PushPayload
        if payload["aps"].object != nil {
            push = PushPayload(aps: APSReader(payload))
        } else if apns["aps"].object != nil {
            push = PushPayload(aps: APSReader(apns))
        } else {
            // The alert for APNs may have the members of `aps` without that key.
            push = PushPayload(aps: APSReader(aps: apns))
        }
        let notification = platforms["fcm"]["notification"]
        let own = [
            PushPlatform.apns: push.successText,
            .android: NotificationText(title: notification["title"].string, body: notification["body"].string),
        ]
        push.platformTexts = own.filter { !$0.value.isBlank }
        push.textPlaces.append(.lines(of: notification))
        if notification.object != nil {
            push.platformSignals[.android] = PlatformSignals(
                badge: notification["notification_count"].looseInteger,
                sound: notification["sound"].text.map { NotificationSound(name: $0) })
        }
        if push.successText.isBlank { push.successText = own[.android] ?? NotificationText() }
        if push.successText.isBlank, let text = alert["text"].text {
            push.successText = NotificationText(body: text)
            push.textPlaces.append(.lines(of: alert, body: "text"))
        }
        return push
    }

    private static func text(of parts: [JSONNode]) -> String? {
        parts.lazy.compactMap { isText($0) ? $0["data"].text : nil }.first
    }

    /// Returns whether a part is plain text. Some examples of the vendor have `plain/text` instead of `text/plain`.
    private static func isText(_ part: JSONNode) -> Bool {
        let type = part["type"].string?.split(separator: ";").first.map { $0.lowercased() }
        return type == "text/plain" || type == "plain/text"
    }

    /// Returns the media item of a part: a file at a URL, or with its bytes in `data`. A part with text is no media
    /// item, although a long text is stored at a URL too.
    private static func reference(_ part: JSONNode) -> MediaReference? {
        guard !isText(part) else { return nil }
        let type = part["type"].text.map { $0.contains("/") ? DeclaredMediaType.mimeType($0) : .mediaClass($0) }
        let name = part["name"].identifier
        var reference = MediaReference(part["url"], identifier: name, declaredType: type)
        if reference == nil, let url = ComapiInlinePart(part: part, type: type).url {
            reference = MediaReference(url: url, path: part["data"].path, identifier: name, declaredType: type)
            reference?.publicURLKey = "url"
        }
        reference?.declaredByteCount = part["size"].looseInteger
        reference?.claims =
            ([MediaClaim.type(part["type"])]
            + MediaClaim.facts([(.byteCount, part["size"]), (.fileName, part["name"])])).compactMap(\.self)
        return reference
    }

    private static func details(of message: JSONNode, conversation: String?, link: ComapiDeepLink) -> JSONObject {
        var details = JSONObject()
        details.append("link", text: link.url)
        details.append("trackingUrl", text: link.trackingURL)
        details.append("conversationId", text: conversation)
        details.append("sender", text: message["context"]["sentBy"].text)
        if let metadata = message["metadata"].object { details.append("metadata", .object(metadata)) }
        return details
    }
}

/// The link that a tap on the notification opens. The vendor's SDKs open `dd_deepLink`, an object or its JSON in a string;
/// older versions opened the link of the action `notificationClicked` (`CMPComapiClient.m`). A push of the vendor's
/// campaigns has the link beside `aps`, or in the data of a message to FCM, and no parts.
struct ComapiDeepLink {
    let url: String?
    /// The URL by which the vendor counts the tap.
    let trackingURL: String?
    /// The data of a message to FCM that has the link; `nil` if the payload itself has it.
    let data: JSONNode?

    init(in payload: JSONNode) {
        let data = payload.has("dd_deepLink") ? nil : AndroidData.find(in: payload, Self.mark)?.data
        let written = (data ?? payload)["dd_deepLink"]
        let link = written.unpacked
        let click = payload["actions"].elements.first { $0["action"].string == "notificationClicked" }
        url = link["url"].text ?? (link.object == nil ? written.text : nil) ?? click?["link"].text
        trackingURL = link["trackingUrl"].text
        self.data = data
    }

    /// Returns the rule that recognises a push with a link.
    static func mark(of data: JSONNode) -> String? { data.guess("dd_deepLink").exists ? "dd_deepLink" : nil }
}

import Base
import FoundationEssentials
import NotificationModel

/// The dialect of Matrix and SDN. A payload is a homeserver's request to a push gateway, or a gateway's push to a
/// phone. The push may name an event only by its IDs.
///
/// Members are those of the Matrix specification, "Push Gateway API", and of events, `m.room.message`.
struct MatrixDialect: Dialect {
    let id: DialectID = "matrix"
    /// The rules for the environments of apps.
    var apps = MatrixApps()
    var marks: [[String]] { [["room_id", "event_id"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        let notification = payload["notification"]
        if notification["devices"]?.array != nil { return "notification.devices[]" }
        if Self.isEvent(notification) { return "notification.room_id+event_id" }
        return payload.find(Self.flatMark)?.rule
    }

    /// Returns the rule for an event as a gateway sends it to a phone. The event is at the top, or in `data` of a
    /// message to FCM. In `data` the members of its content and its counts are flat (Sygnal, "Notes for application
    /// developers"). New numbers alone are a priority beside a number.
    private static func flatMark(of data: JSONNode) -> String? {
        if isEvent(data.value) { return "room_id+event_id" }
        guard isOfFlatCountsAlone(data) else { return nil }
        return "prio+\(MatrixCounts.flatKey(in: data) ?? "")"
    }

    private static let priorities = ["high", "normal", "low"]

    private static func isOfFlatCountsAlone(_ data: JSONNode) -> Bool {
        guard let priority = data.guess("prio").string, priorities.contains(priority) else { return false }
        return ["event_id", "room_id", "content", "aps"].allSatisfy { !data.guess($0).exists }
            && MatrixCounts.flatKey(in: data) != nil
    }

    private static func isEvent(_ value: JSONValue?) -> Bool {
        value["room_id"]?.string?.isEmpty == false && value["event_id"]?.string?.isEmpty == false
    }

    func read(_ payload: JSONNode) -> PushPayload {
        let notification = payload["notification"]
        let flat = notification["devices"].array == nil ? AndroidData.find(in: payload, Self.flatMark)?.data : nil
        let event = flat ?? notification
        let devices = event["devices"].elements.filter { $0.object != nil }
        // The gateway builds the push from the values that the app gave with its push key.
        let push = payload["aps"].object != nil ? payload : devices.first?["data"]["default_payload"] ?? payload
        var reading = flat.map { PushPayload(around: $0, in: payload) } ?? PushPayload(aps: APSReader(push))
        reading.providerID = event["event_id"].text
        Self.replaceText(of: &reading, with: event)
        reading.textPlaces = Self.textPlaces(payload, devices)
        if flat != nil, reading.textPlaces.isEmpty {
            reading.textPlaces = [.lines(of: event, title: "room_name", body: "content_body")]
        }
        reading.media = Self.media(of: event) + reading.media
        reading.aps.threadIdentifier = event["room_id"].text ?? reading.aps.threadIdentifier
        let counts = MatrixCounts(event)
        reading.problems = counts.problems
        reading.aps.badge = counts.badge ?? reading.aps.badge ?? counts.flatBadge
        Self.apply(devices.map { $0["tweaks"] }, priority: event["prio"], to: &reading, push: push)
        if let problem = Self.difference(of: devices) { reading.problems.append(problem) }
        reading.language = devices.lazy.compactMap { $0["lang"].text ?? $0["data"]["lang"].text }.first
        reading.senders = [event["sender"].text].compactMap(\.self)
        reading.isOfRecipient = Self.isOwnJoin(event)
        reading.details = Self.details(of: event, counts, push: push, devices: devices)
        let environments = Set(devices.compactMap(MatrixDevice.application).map { apps.target(of: $0).environment })
        if environments.count == 1 { reading.details.append("environment", text: environments.first?.rawValue) }
        if Self.isOfCountsAlone(event) || Self.isOfFlatCountsAlone(event) {
            (reading.isSilent, reading.changesBadgeAlone) = (true, true)
            reading.successText = NotificationText()
            reading.aps.sound = nil
            reading.localization = AlertLocalization()
        } else if reading.successText.body == nil, !reading.isSilent, Self.isShown(event, reading) {
            reading.successText.body = MatrixText.body(of: event)
        }
        return reading
    }

    /// Replaces the texts. The texts of the event take precedence over those of the alert. Strangers choose the names of
    /// rooms and senders.
    private static func replaceText(of reading: inout PushPayload, with event: JSONNode) {
        let text = NotificationText(
            title: (event["room_name"].text ?? event["room_alias"].text)?.inOneLine,
            subtitle: (event["sender_display_name"].text ?? event["sender"].text)?.inOneLine,
            body: event["content"]["body"].text ?? event["content_body"].text)
        reading.successText = text.over(reading.successText)
    }

    /// Returns the paths of the alerts that the gateway sends. The event keeps its texts, because a person wrote them.
    private static func textPlaces(_ payload: JSONNode, _ devices: [JSONNode]) -> [TextPlace] {
        let pushes = [payload] + devices.map { $0["data"]["default_payload"] }
        return pushes.filter { $0["aps"].object != nil }.map { APSReader($0).textPlace }
    }

    /// Returns whether the notification has only the numbers of unread messages and missed calls. A homeserver reports
    /// new numbers by a notification without an event (Push Gateway API, `counts`). The badge changes, and nothing is
    /// shown.
    private static func isOfCountsAlone(_ event: JSONNode) -> Bool {
        ["event_id", "room_id", "content"].allSatisfy { !event[$0].exists } && event["counts"].object != nil
    }

    /// Returns whether the notification shows an event, or an alert whose text is looked up by its key.
    private static func isShown(_ event: JSONNode, _ reading: PushPayload) -> Bool {
        event["event_id"].text != nil || event["type"].text != nil || !reading.localization.isEmpty
    }

    /// Returns whether the recipient joined a room by itself. The subject of a member event is the recipient if
    /// `user_is_target` is set, and only the subject itself can join (Push Gateway API; `m.room.member`). The sender of
    /// any other member event may be another user, for example for an invitation.
    private static func isOwnJoin(_ event: JSONNode) -> Bool {
        event["type"].string == "m.room.member" && event["user_is_target"].bool == true
            && [event, event["content"]].contains { $0["membership"].string == "join" }
    }

    /// Applies the sound of the recipient's own rules and the importance of the event. A highlighted event interrupts,
    /// and an event of low priority (`prio`) does not interrupt. A level of the app's own payload takes precedence.
    private static func apply(
        _ tweaks: [JSONNode], priority: JSONNode, to reading: inout PushPayload, push: JSONNode
    ) {
        if let sound = tweaks.lazy.compactMap({ $0["sound"].text }).first {
            reading.aps.sound = NotificationSound(name: sound)
        }
        guard push["aps"]["interruption-level"].text == nil else { return }
        if !tweaks.isEmpty, tweaks.allSatisfy({ $0["highlight"].isSet }) {
            reading.aps.interruptionLevel = .timeSensitive
        } else if priority.string == "low" {
            reading.aps.interruptionLevel = .passive
        }
    }

    /// Returns the problem of tweaks that differ. Each device has its own tweaks, but all devices get one result.
    private static func difference(of devices: [JSONNode]) -> PayloadProblem? {
        let tweaks = devices.map { $0["tweaks"].unrecorded }
        let other = tweaks.firstIndex {
            $0["sound"].text != tweaks[0]["sound"].text || $0["highlight"].isSet != tweaks[0]["highlight"].isSet
        }
        guard let other else { return nil }
        return PayloadProblem(
            "matrix-tweaks", devices[other]["tweaks"],
            "the tweaks differ from those of the first device: all devices get the first sound, and a highlight only if all have it",
            fix: "Send a notification for each device")
    }

    /// Returns the media. The content of an encrypted event is unknown, and the file of an encrypted room
    /// (`content.file`) is ciphertext, too.
    private static func media(of event: JSONNode) -> [MediaReference] {
        let content = event["content"]
        guard event["type"].string != "m.room.encrypted", !content["ciphertext"].exists else { return [] }
        let info = content["info"]
        // Sygnal writes the texts of the content beside the members of the event.
        var file = MediaReference(
            content.exists ? content["url"] : event.guess("content_url"),
            declaredType: info["mimetype"].text.map { .mimeType($0) },
            claims: claims(in: info) + MediaClaim.facts([(.fileName, content["filename"])])
                + [claim(ofMessageType: content["msgtype"])])
        file?.declaredByteCount = info["size"].integer
        let thumbnail = MediaReference(
            info["thumbnail_url"], role: .thumbnail, claims: claims(in: info["thumbnail_info"]))
        return [file, thumbnail].compactMap(\.self)
    }

    private static func claims(in info: JSONNode) -> [MediaClaim?] {
        [MediaClaim.type(info["mimetype"])]
            + MediaClaim.facts([
                (.byteCount, info["size"]), (.width, info["w"]), (.height, info["h"]), (.duration, info["duration"]),
            ])
    }

    /// Returns the claim of a message type, by which a client shows a file. Other types say nothing about it.
    private static func claim(ofMessageType node: JSONNode) -> MediaClaim? {
        guard let type = node.text, ["m.image", "m.video", "m.audio"].contains(type) else { return nil }
        return MediaClaim(.type(MediaFormat.words { "m." + $0.topLevelType }), at: node)
    }

    private static func details(
        of event: JSONNode, _ counts: MatrixCounts, push: JSONNode, devices: [JSONNode]
    ) -> JSONObject {
        var details = JSONObject()
        for (name, key) in [
            ("roomId", "room_id"), ("eventId", "event_id"), ("sender", "sender"), ("type", "type"), ("prio", "prio"),
        ] {
            details.append(name, text: event[key].text)
        }
        if !counts.details.isEmpty { details.append("counts", .object(counts.details)) }
        // The identifier shows an app with several accounts which account the push is for.
        details.append("clientIdentifier", text: push["pusher_notification_client_identifier"].text)
        if !devices.isEmpty { details.append("devices", .array(devices.map { .object(MatrixDevice.detail(of: $0)) })) }
        return details
    }
}

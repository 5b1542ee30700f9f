package import Base
package import NotificationModel

/// The dialect of Sendios. A push has `data` with `push_id` beside `aps`, as APNs delivers it. The keys are flat at the
/// top if FCM delivers the push to a phone. They are inside a message if a server sends the push to FCM.
///
/// Keys, values and defaults are those of "Push Notification Payload" in the vendor's iOS guide.
package struct SendiosDialect: Dialect {
    package let id: DialectID = "sendios"
    package var marks: [[String]] { [["push_id", "image_url"]] }

    /// The default of `sender_id` on Apple's platforms. The guide says: "is platform specific option. For iOS by
    /// default is 2."
    private static let senderOfApple = "2"

    /// The pairs of a name in `details` and the vendor's key for its value.
    private static let details = [
        ("type", "type"), ("route", "route"), ("fromUserId", "from_user_id"), ("senderId", "sender_id"),
        ("logicId", "logic_id"), ("templateId", "template_id"),
    ]
    /// Keys that a flattened push has beside `push_id`.
    private static let besidePushID = ["image_url", "mf_split_group"] + details.map(\.1)
    /// Keys of `data` in the vendor's guide, and keys of the notification, which senders through FCM put into `data`.
    private static let keysOfData = Set(besidePushID + ["push_id", "title", "body", "badge", "sound", "notification"])

    /// The object that has the vendor's keys.
    private struct Place {
        let data: JSONNode
        let rule: String
        /// The message to FCM that contains the object; `nil` if the payload is no such message.
        var message: JSONNode?
    }

    package func detect(_ payload: PayloadLayout) -> String? { Self.place(in: payload.root, payload.message)?.rule }

    private static func place(in payload: JSONNode, _ message: @autoclosure () -> JSONNode?) -> Place? {
        if let (data, rule) = place(ofPush: payload) { return Place(data: data, rule: rule) }
        guard let message = message() else { return nil }
        if let (data, rule) = place(ofPush: message["apns"]["payload"]) {
            return Place(data: data, rule: "message.apns.payload." + rule, message: message)
        }
        for (data, name) in [(message["data"], "data"), (message["android"]["data"], "android.data")] {
            guard data.object.map(isPush) != true else {
                return Place(data: data, rule: "message.\(name).push_id", message: message)
            }
            if let mark = markWithoutID(of: data) {
                return Place(data: data, rule: "message.\(name).route+\(name).\(mark)", message: message)
            }
        }
        return nil
    }

    private static func place(ofPush push: JSONNode) -> (data: JSONNode, rule: String)? {
        let data = push["data"]
        if data.object.map(isPush) == true {
            return (data, data["image_url"].exists ? "data.push_id+data.image_url" : "data.push_id")
        }
        if let mark = markWithoutID(of: data) { return (data, "data.route+data.\(mark)") }
        // A flattened push may have another provider's `data` beside it.
        if let mark = push.object.flatMap(flattenedMark) { return (push, "push_id+\(mark)") }
        // Apps of others have a route beside an image at the top.
        let mark = markWithoutID(of: push, among: ["from_user_id", "logic_id", "mf_split_group"])
        return mark.map { (push, "route+\($0)") }
    }

    /// Returns the key that identifies a push without `push_id` beside its route.
    private static func markWithoutID(
        of data: JSONNode, among keys: [String] = ["image_url", "from_user_id", "logic_id", "mf_split_group"]
    ) -> String? {
        guard data.guess("route").text.map(SendiosMistakes.routes.contains) ?? false else { return nil }
        return keys.first { data.guess($0).exists }
    }

    private static func hasPushID(_ data: JSONObject) -> Bool { text(JSONNode(data)["push_id"]) != nil }

    /// Returns whether `data` has a push ID. It must also have a key of only this vendor, or no key of another sender.
    private static func isPush(_ data: JSONObject) -> Bool {
        hasPushID(data) && (hasOwnKey(data) || data.keys.allSatisfy(keysOfData.contains))
    }

    /// Returns whether the payload has a key that distinguishes the vendor's push from another provider's payload with
    /// a `push_id`. Many providers have a `type`, a `sender_id`, a `template_id`, and a `route` with other values.
    private static func hasOwnKey(_ payload: JSONObject) -> Bool {
        if ["image_url", "from_user_id", "logic_id", "mf_split_group"].contains(where: { payload[$0] != nil }) {
            return true
        }
        guard let route = payload["route"]?.string else { return false }
        return NearestWord.nearest(to: route, among: SendiosMistakes.routes) != nil
    }

    /// Returns the text of a value that the vendor writes as a text or as a number. FCM's data has only strings, with
    /// `null` for a missing value.
    private static func text(_ node: JSONNode) -> String? { isNull(node) ? nil : node.identifier }

    /// Returns whether a value is the text `null`.
    package static func isNull(_ node: JSONNode) -> Bool { node.string == "null" }

    /// Returns the key beside `push_id` that marks a flattened push; `nil` if the payload is not such a push.
    private static func flattenedMark(of payload: JSONObject) -> String? {
        hasPushID(payload) && hasOwnKey(payload) ? besidePushID.first { payload[$0] != nil } : nil
    }

    /// Returns the dictionary with the vendor's keys, even if no rule recognises the payload.
    package static func data(of payload: JSONNode) -> JSONNode {
        place(in: payload, FCMDialect.message(of: payload))?.data
            ?? (payload["data"].object == nil ? payload : payload["data"])
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let place = Self.place(in: payload, FCMDialect.message(of: payload))
        let data = place?.data ?? Self.data(of: payload)
        // FCM shows the texts of the notification.
        let notification = (place?.message ?? payload)["notification"]
        var reading = Self.push(payload, place?.message, notification)
        // The app shows the texts of a message that has only data. Its values are strings, so an object is one too.
        reading.takeTexts(of: DataMessage(data, .common))
        reading.providerID = Self.text(data["push_id"])
        let badges = [payload["aps"]["badge"], notification["badge"], data["badge"]]
        if reading.aps.badge == nil { reading.aps.badge = badges.lazy.compactMap(\.looseInteger).first }
        // The rules for `aps` check Apple's badge in the same way.
        reading.problems = SendiosMistakes(data: data, badges: [notification["badge"], data["badge"]]).problems
        if reading.lacksText {
            reading.problems.append(
                PayloadProblem(
                    "sendios-text-missing", notification.exists ? notification : payload,
                    "the push has no text", fix: "Add a notification with a title and a body"))
        }
        let others = [data.guess("notification").unpacked, notification].flatMap { node in
            ["image_url_big", "image_url"].map { node.guess($0) }
        }
        Self.addImage(([data["image_url"]] + others).first { Self.text($0) != nil } ?? data["image_url"], to: &reading)
        reading.details = Self.details(of: data)
        if reading.details["senderId"] == nil {
            reading.platformDetails[.apns] = ["senderId": .string(Self.senderOfApple)]
        }
        return reading
    }

    private static func push(
        _ payload: JSONNode, _ message: JSONNode?, _ notification: JSONNode
    ) -> PushPayload {
        if let message { return PushPayload(fcm: message) }
        if FCMLegacyDialect.rule(of: payload) != nil { return PushPayload(legacyFCM: payload) }
        var push = PushPayload(aps: APSReader(payload))
        let text = NotificationText(title: notification["title"].string, body: notification["body"].string)
        if push.successText.isBlank, !text.isEmpty { push.successText = text }
        push.textPlaces.append(.lines(of: notification))
        // FCM makes an alert from this text if `aps` has no alert.
        if !text.isBlank {
            push.aps.hasVisibleAlert = true
            push.isSilent = false
        }
        return push
    }

    private static func addImage(_ node: JSONNode, to reading: inout PushPayload) {
        guard let url = node.text, !isNull(node) else { return }
        if url.contains("/") || url.contains(":") {
            // The vendor's own SDK gives every file the extension `.png`.
            reading.media.insert(MediaReference(url: url, path: node.path, declaredType: .fileExtension("png")), at: 0)
        } else {
            // A bare name is the name of a launch image in the app's bundle.
            reading.aps.launchImageName = url
        }
    }

    /// Returns the route of the app, and the values that the vendor's server expects again in `delivered`, `click` and
    /// `unseen`. The guide says that the split group "by default is nil".
    private static func details(of data: JSONNode) -> JSONObject {
        var details = JSONObject()
        for (name, key) in Self.details { details.append(name, text: text(data[key])) }
        details.append("splitGroup", .text(text(data["mf_split_group"])))
        return details
    }
}

package import JSON
package import NotificationModel
import WebURL

/// The dialect of OneSignal. A push has the current keys in `os_data`, the older keys beside `custom`, or, without an
/// alert, the minified keys.
///
/// The meaning of each key and the form of a push are those that `OSNotification` of the public iOS SDK reads. The
/// search for the type of a file is that of its `OneSignalAttachmentHandler`. The request to create a message has the
/// keys of the vendor's reference, "Push channel properties". The data of Android has the keys of the Android SDK
/// (`NotificationBundleProcessor.java`).
package struct OneSignalDialect: Dialect {
    package let id: DialectID = "onesignal"
    package var marks: [[String]] { [["os_data"], ["custom", "att"], ["app_id", "contents"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        if payload["os_data"]?.object != nil { return "os_data" }
        let isNamed = payload["custom"]["i"]?.identifier != nil
        if isNamed, payload["att"] != nil { return "custom.i+att" }
        if payload["at"]?.object != nil {
            if isNamed { return "custom.i+at" }
            return payload["m"] == nil ? nil : "m+at"
        }
        if isNamed, payload["m"] != nil { return "custom.i+m" }
        return payload.find(Self.androidMark)?.rule ?? OneSignalRequest(payload.root)?.rule
    }

    /// Returns the rule for the data of Android, in which an object is a string of JSON.
    private static func androidMark(of data: JSONNode) -> String? {
        data["custom"].string != nil && data["custom"].embedded["i"].identifier != nil ? "custom.i" : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload { read(payload, in: []) }

    package func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload {
        if payload["os_data"].object == nil {
            if let data = AndroidData.find(in: payload, Self.androidMark)?.data { return Self.push(data, in: payload) }
            if let request = OneSignalRequest(payload) { return request.reading(in: languages) }
        }
        return Self.push(payload)
    }

    private static func push(_ data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        let message = data["custom"].embedded
        reading.say(
            NotificationText(title: data["title"].text, body: data["alert"].text), at: .lines(of: data, body: "alert"))
        reading.providerID = message["i"].identifier
        // An icon may be the name of a resource in the app.
        reading.media += [
            MediaReference(webURL: data["bicon"]), MediaReference(webURL: data["licon"], role: .icon),
        ].compactMap(\.self)
        reading.actions = data["o"].unpacked.elements.compactMap(action)
        reading.link(to: message["u"])
        if let template = message["ti"].identifier { reading.details.append("templateId", .string(template)) }
        if let own = message["a"].object { reading.details.append("data", .object(own)) }
        return reading
    }

    private static func push(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let isCurrent = payload["os_data"].object != nil
        let message = isCurrent ? payload["os_data"] : payload["custom"]
        let full = isCurrent ? payload["os_data"] : payload
        let minified = isCurrent ? payload["os_data"]["buttons"] : payload
        if !reading.aps.hasVisibleAlert { reading.takeMinified(minified) }
        reading.providerID = message["i"].identifier
        reading.media = (full["att"].object == nil ? minified["at"] : full["att"]).members.compactMap {
            MediaReference($1, identifier: $0.isEmpty ? nil : $0, declaredType: type(named: $1))
        }
        let buttons = [full["buttons"], minified["o"], payload["actionbuttons"]].first { $0.array != nil }
        reading.actions = (buttons?.elements ?? []).compactMap(action)
        if let link = message["u"].text { reading.details.append("link", .string(link)) }
        if let template = message["ti"].identifier { reading.details.append("templateId", .string(template)) }
        if let data = message["a"].object, !isCurrent { reading.details.append("data", .object(data)) }
        return reading
    }

    /// Returns the type by the extension of the file that the URL's query names. The SDK checks this file name first.
    private static func type(named url: JSONNode) -> DeclaredMediaType? {
        let reference = URIReference(url.text ?? "")
        // A URL with a malformed IPv6 address declares nothing.
        if let host = reference.hostAndPort?.host, host.hasPrefix("["), IPAddress(bracketed: host) == nil { return nil }
        let item = reference.query?.split(separator: "&").first { $0.utf8.starts(with: "filename=".utf8) }
        let bytes = item.map { PercentEncoding.decodedBytes(of: $0.dropFirst("filename=".count)) } ?? []
        let file = String(decoding: bytes, as: UTF8.self)
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let name = file[file.index(after: dot)...].lowercased()
        let isExtension =
            !name.isEmpty && name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789".utf8.contains($0) }
        return isExtension ? .fileExtension(name) : nil
    }

    /// Returns the action of a button. A button without an identifier is identified by its text.
    private static func action(_ button: JSONNode) -> NotificationAction? {
        guard let title = button["n"].text else { return nil }
        return NotificationAction(identifier: button["i"].identifier ?? title, title: title)
    }
}

extension PushPayload {
    /// Takes the minified keys of a push that only the SDK shows: `m` is the alert, `b` is the badge, and `s` is the
    /// sound.
    fileprivate mutating func takeMinified(_ message: JSONNode) {
        let text = message["m"].text.map { NotificationText(body: $0) } ?? NotificationText(message["m"])
        if text.isEmpty { return }
        successText = text
        textPlaces = [.alert(message["m"].path)]
        isSilent = false
        aps.badge = aps.badge ?? message["b"].integer
        aps.sound = aps.sound ?? message["s"].text.map { NotificationSound(name: $0) }
    }
}

import Base
import NotificationModel

/// The dialect of OneSignal. A push has the current keys in `os_data`, the older keys beside `custom`, or, without an
/// alert, the minified keys.
///
/// The meaning of each key and the form of a push are those that `OSNotification` of the public iOS SDK reads. The
/// search for the type of a file is that of its `OneSignalAttachmentHandler`. The request to create a message has the
/// keys of the vendor's reference, "Push channel properties". The data of Android has the keys of the Android SDK
/// (`NotificationBundleProcessor.java`).
struct OneSignalDialect: Dialect {
    let id: DialectID = "onesignal"
    var marks: [[String]] { [["os_data"], ["custom", "att"], ["app_id", "contents"]] }

    func detect(_ payload: PayloadLayout) -> String? {
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

    func read(_ payload: JSONNode) -> PushPayload { read(payload, in: []) }

    func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload {
        if payload["os_data"].object == nil {
            if let data = AndroidData.find(in: payload, Self.androidMark)?.data { return Self.push(data, in: payload) }
            if let request = OneSignalRequest(payload) { return request.reading(in: languages) }
        }
        return Self.push(payload)
    }

    private static func push(_ data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        let message = data["custom"].embedded
        reading.say(in: data, body: "alert")
        reading.providerID = message["i"].identifier
        // An icon may be the name of a resource in the app.
        reading.media += [
            MediaReference(webURL: data["bicon"]), MediaReference(webURL: data["licon"], role: .icon),
        ].compactMap(\.self)
        reading.actions = data["o"].unpacked.elements.compactMap(action)
        reading.link(to: message["u"])
        reading.details.append("templateId", text: message["ti"].identifier)
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
        reading.link(to: message["u"])
        reading.details.append("templateId", text: message["ti"].identifier)
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
    /// Takes the minified keys of a push that only the SDK shows: the alert `m`, the badge `b` and the sound `s`.
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

/// The request to OneSignal's API that creates a message, for several platforms and in several languages.
///
/// The images of Amazon's and Huawei's devices (`adm_big_picture`, `huawei_big_picture`) are treated as images for
/// Android. `global_image` is for each platform that has no separate image.
struct OneSignalRequest {
    private let payload: JSONNode
    let rule: String

    /// Creates the request; `nil` for a payload that is no such request.
    init?(_ payload: JSONNode) {
        guard payload["app_id"].string != nil, let members = payload.object else { return nil }
        let text = ["contents", "headings"].first { payload[$0].object != nil }
        let recipients = members.keys.first { $0 == "included_segments" || $0 == "filters" || $0.hasPrefix("include_") }
        guard let mark = text ?? recipients else { return nil }
        self.payload = payload
        rule = "app_id+\(mark)"
    }

    func reading(in languages: [LanguageTag]) -> PushPayload {
        var reading = PushPayload()
        let (title, subtitle, body) = (
            payload["headings"].line(in: languages), payload["subtitle"].line(in: languages),
            payload["contents"].line(in: languages)
        )
        reading.successText = NotificationText(title: title.text, subtitle: subtitle.text, body: body.text)
        reading.alert = reading.successText
        reading.textPlaces = [.lines(title: title.path, subtitle: subtitle.path, body: body.path)]
        reading.media = media
        reading.actions = payload["buttons"].actions(identifier: "id", title: "text")
        reading.link(to: payload["url"], payload["app_url"], payload["web_url"])
        if let data = payload["data"].object { reading.details.append("data", .object(data)) }
        return reading
    }

    /// Returns the media. Android's images may be names of resources in the app, which are left out.
    private var media: [MediaReference] {
        payload["ios_attachments"].members.compactMap {
            MediaReference($1, identifier: $0.isEmpty ? nil : $0, platform: .apns)
        }
            + [
                ["big_picture", "huawei_big_picture", "adm_big_picture"].lazy.compactMap {
                    MediaReference(webURL: payload[$0], platform: .android)
                }.first,
                MediaReference(webURL: payload["global_image"], platform: .any),
                MediaReference(webURL: payload["large_icon"], role: .icon, platform: .android),
                MediaReference(payload["chrome_web_image"], platform: .webpush),
                MediaReference(payload["chrome_web_icon"], role: .icon, platform: .webpush)
                    ?? MediaReference(payload["firefox_icon"], role: .icon, platform: .webpush),
                MediaReference(payload["chrome_web_badge"], role: .badge, platform: .webpush),
            ].compactMap(\.self)
    }
}

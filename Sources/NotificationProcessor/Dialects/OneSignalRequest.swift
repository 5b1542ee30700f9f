import JSON
import NotificationModel

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
        let receivers = members.keys.first { $0 == "included_segments" || $0 == "filters" || $0.hasPrefix("include_") }
        guard let mark = text ?? receivers else { return nil }
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
        reading.actions = payload["buttons"].elements.compactMap {
            NotificationAction($0, identifier: "id", title: "text")
        }
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

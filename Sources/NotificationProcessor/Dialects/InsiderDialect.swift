import Base
import NotificationModel

/// The dialect of Insider. A push has the `source` `Insider`. A request is a call of one of Insider's APIs. The key of
/// a push's image is not public. Its media are therefore found like those of a plain payload.
///
/// Requests are those of the vendor's academy, "Send targeted app pushes" and "Send bulk app pushes". The mark of a
/// push is that of useinsider/swift-sample (`NotificationService.m`).
struct InsiderDialect: Dialect {
    let id: DialectID = "insider"
    var marks: [[String]] { [["api_key", "segment_name"], ["api_key", "notifications"]] }
    /// The paths of media in a push.
    var mediaKeys = MediaKeys.common

    func detect(_ payload: PayloadLayout) -> String? {
        payload.find(Self.mark)?.rule ?? Self.ruleOfRequest(payload.root)
    }

    private static func mark(of data: JSONNode) -> String? {
        data["source"].string == "Insider" ? "source=Insider" : nil
    }

    private static func ruleOfRequest(_ payload: JSONNode) -> String? {
        guard payload["api_key"].string != nil else { return nil }
        if first(of: payload) != nil { return "api_key+notifications[]" }
        let hasContent = ["notification_image", "content"].contains { payload[$0].text != nil }
        return payload["segment_name"].string != nil && hasContent ? "api_key+segment_name" : nil
    }

    /// Returns the first notification of a request, which is for one recipient. The other notifications are not read.
    private static func first(of payload: JSONNode) -> JSONNode? {
        payload["notifications"].elements.first { $0["identifiers"].exists || $0["camp_id"].exists }
    }

    func read(_ payload: JSONNode) -> PushPayload {
        if Self.ruleOfRequest(payload) == nil {
            let data = AndroidData.find(in: payload, Self.mark)?.data ?? payload
            var reading = PushPayload(around: data, in: payload)
            reading.media += mediaKeys.find(in: data, urlsOnly: true)?.media ?? []
            return reading
        }
        let isBulk = Self.first(of: payload) == nil
        let push = Self.first(of: payload) ?? payload
        let body = isBulk ? "content" : "message"
        var reading = PushPayload()
        reading.successText = NotificationText(title: push["title"].text, body: push[body].text)
        reading.textPlaces = [.lines(of: push, body: body)]
        let image = push[isBulk ? "notification_image" : "image_url"]
        reading.media = [MediaReference(image, platform: .any)].compactMap(\.self)
        reading.providerID = push["camp_id"].identifier
        return reading
    }
}

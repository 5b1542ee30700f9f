import Base
import NotificationModel
import TestSupport

/// A generator of random payloads with keys that providers use, and with any values.
enum RandomPayloads {
    private static let keys = [
        "aps", "alert", "title", "body", "badge", "sound", "loc-args", "title-loc-key", "content-state", "media", "url",
        "id", "role", "options", "thumbnailClippingRect", "appear2mee", "urls", "playTime", "expiry", "about", "fbText",
        "holoPushUrl", "data", "push_id", "image_url", "parts", "payload", "platforms", "apns", "fcm", "notification",
        "devices", "event_id", "room_id", "content", "info", "thumbnail_url", "counts", "unread", "tweaks",
        "default_payload", "os_data", "att", "buttons", "custom", "i", "m", "at", "o",
        "com.urbanairship.media_attachment", "com.urbanairship.metadata", "_", "crop", "ab", "type", "messages",
        "apple_push", "ct_mediaUrl", "ct_ContentSlider", "items", "imageUrl", "pt_json", "pt_img1", "pt_timer_end",
        "wzrk_id", "CIO-Delivery-ID", "CIO", "push", "moengage", "media-attachment", "com.batch", "u", "t", "source",
        "expandableDetails", "tiles", "itbl", "attachment-url", "rich-media", "_k", "LP_URL", "_mediaUrl", "_mediaAlt",
        "event", "topic", "attachment", "attachment_url", "attachment_expires", "expires", "icon", "actions", "tags",
        "priority", "hide-thumbnail", "richContent", "_richContent", "ems", "media-attachment-url", "clickUrl",
        "uniqueKey", "message", "android", "webpush", "fcm_options", "image", "web_push", "app_badge", "category",
    ]

    private static let texts = [
        "", "x", "https://a.example/1", "mxc://a/b", "webengage", "prefetch", "{\"pt_big_img\":\"u\"}", "{\"a\":",
        "[[[[", "\u{0}", "\u{FFFD}", "e\u{301}", "👩‍👩‍👧", "-1", "1e999", "true", String(repeating: "é", count: 300),
    ]

    private static let numbers = [
        "0", "-0", "1", "8030", "1.5", "-1", "1e400", "-1e400", "1e-400", "9223372036854775807", "9223372036854775808",
        "123456789012345678901234567890", "0.1e1", "4102444800000",
    ]

    static func value(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2, 3: .string(texts.randomElement(using: &generator) ?? "")
        case 4, 5: .number(JSONNumber(literal: numbers.randomElement(using: &generator) ?? "0"))
        case 6: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1, &generator) })
        default: .object(object(depth: depth - 1, &generator))
        }
    }

    /// Returns a random object, in which some keys occur twice.
    static func object(depth: Int, _ generator: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            object.append(keys.randomElement(using: &generator) ?? "", value(depth: depth, &generator))
        }
        return object
    }
}

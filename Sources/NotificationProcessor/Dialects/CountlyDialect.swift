package import JSON
package import NotificationModel

/// Countly: an object `c` beside `aps`, with keys of one letter; in Android's data each of them is a key that begins with
/// `c.`, and the buttons are a string of JSON.
///
/// Keys are those of the public SDKs: countly-sdk-ios (`CountlyNotificationService.m`) and countly-sdk-android
/// (`ModulePush.java`). Both take a push without an identifier for another sender's.
package struct CountlyDialect: Dialect {
    package let id: DialectID = "countly"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? { Self.place(in: JSONNode(payload))?.rule }

    private static func place(in payload: JSONNode) -> (data: JSONNode, rule: String)? {
        AndroidData.find(in: payload) { data in
            data["c"]["i"].identifier == nil && data["c.i"].identifier == nil ? nil : "c.i"
        }
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let data = Self.place(in: payload)?.data ?? payload
        var reading = PushPayload(around: data, in: payload)
        let isApples = data["aps"].object != nil || data["c"].object != nil
        func own(_ key: String) -> JSONNode { isApples ? data["c"][key] : data["c." + key] }
        if !isApples {
            reading.say(
                NotificationText(title: data["title"].text, body: data["message"].text),
                at: .lines(of: data, body: "message"))
        }
        reading.media += [MediaReference(own(isApples ? "a" : "m"))].compactMap(\.self)
        reading.providerID = own("i").identifier
        // The SDKs count buttons from 1.
        reading.actions = own("b").unpacked.elements.enumerated().compactMap { index, button in
            button["t"].text.map { NotificationAction(identifier: String(index + 1), title: $0) }
        }
        reading.link(to: own("l"))
        return reading
    }
}

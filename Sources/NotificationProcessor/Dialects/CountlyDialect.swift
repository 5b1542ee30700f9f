import Base
import NotificationModel

/// The dialect of Countly. Beside `aps` a push has an object `c`, with keys of one letter. In Android's data each of
/// these keys begins with `c.`, and the buttons are a string of JSON.
///
/// Keys are those of the public SDKs: countly-sdk-ios (`CountlyNotificationService.m`) and countly-sdk-android
/// (`ModulePush.java`). Both SDKs ignore a push without an identifier, because it is from another sender.
struct CountlyDialect: MarkedDialect {
    let id: DialectID = "countly"
    var marks: [[String]] { [["c.i"]] }

    static func mark(of data: JSONNode) -> String? {
        data["c"]["i"].identifier == nil && data["c.i"].identifier == nil ? nil : "c.i"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let isApples = data["aps"].object != nil || data["c"].object != nil
        func own(_ key: String) -> JSONNode { isApples ? data["c"][key] : data["c." + key] }
        if !isApples { reading.say(in: data, body: "message") }
        reading.media += [MediaReference(own(isApples ? "a" : "m"))].compactMap(\.self)
        reading.providerID = own("i").identifier
        // The SDKs count buttons from 1.
        reading.actions = own("b").unpacked.elements.enumerated().compactMap { index, button in
            button["t"].text.map { NotificationAction(identifier: String(index + 1), title: $0) }
        }
        reading.link(to: own("l"))
    }
}

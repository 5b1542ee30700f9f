import Base
import NotificationModel

/// The dialect of Salesforce Marketing Cloud. `_mediaUrl` is the URL of the media item, and `_mediaAlt` is the body of
/// the notification if the media item cannot be shown.
///
/// `_m` is the ID of the message. `_od` (OpenDirect) takes precedence over `_x` (a CloudPage) as the link. The source
/// of these three keys and of their order is the vendor's Cordova plugin (`MCCordovaPlugin.m` and its tests). Every
/// push of the vendor has `_sid`, `_r` or `_h`, even a push without media. On Android the text is at the top level.
struct SalesforceDialect: MarkedDialect {
    let id: DialectID = "salesforce"
    var marks: [[String]] { [["_mediaUrl"], ["_sid"]] }

    static func mark(of data: JSONNode) -> String? {
        if data["_mediaUrl"].string != nil { return "_mediaUrl" }
        if data["_sid"].string == "SFMC" { return "_sid=SFMC" }
        guard data["_m"].text != nil else { return nil }
        return ["_r", "_h"].first { data[$0].text != nil }.map { "_m+\($0)" }
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        if data["aps"].object == nil { reading.say(in: data, subtitle: "subtitle", body: "alert") }
        reading.providerID = data["_m"].identifier
        reading.media += [MediaReference(data["_mediaUrl"])].compactMap(\.self)
        if let body = data["_mediaAlt"].text {
            reading.fallbackText = NotificationText(body: body).over(reading.successText)
        }
        reading.link(to: data["_od"], data["_x"])
    }
}

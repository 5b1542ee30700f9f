import Base
import NotificationModel

/// The dialect of Blueshift. Its keys begin with `bsft_`. These keys are beside `aps`, or, in Android's data, beside
/// `message`, which is a string of JSON.
///
/// Keys are those of the public SDKs: Blueshift-iOS-SDK (`BlueShiftPushNotification.m`,
/// `BlueshiftExtensionConstants.h`) and Blueshift-Android-SDK (`Message.java`, `CarouselElement.java`, `Action.java`).
struct BlueshiftDialect: MarkedDialect {
    let id: DialectID = "blueshift"
    var marks: [[String]] { [["bsft_message_uuid"], ["carousel_elements"]] }

    static func mark(of data: JSONNode) -> String? {
        if data["bsft_message_uuid"].text != nil { return "bsft_message_uuid" }
        if data["carousel_elements"].array != nil { return "carousel_elements[]" }
        return data["message"].unpacked["notification_type"].text == nil ? nil : "message.notification_type"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        let isApples = data["aps"].object != nil
        let push = isApples ? data : data["message"].unpacked
        if !isApples {
            reading.say(in: push, title: "content_title", subtitle: "content_sub_text", body: "content_text")
            if push["category"].string == "silent_push" { reading.isSilent = true }
        }
        let cards = push["carousel_elements"].elements.map { $0["image_url"] }
        reading.media += ([push["image_url"]] + cards).compactMap { MediaReference($0) }
        reading.providerID = data["bsft_message_uuid"].identifier
        // An action without an identifier gets one from its index.
        reading.actions = push["actions"].elements.enumerated().compactMap { index, action in
            action["title"].text.map {
                NotificationAction(
                    identifier: action["identifier"].identifier ?? "BSPushIdentifier_\(index)", title: $0,
                    link: action["deep_link_url"].text)
            }
        }
        reading.link(to: push["deep_link_url"])
    }
}

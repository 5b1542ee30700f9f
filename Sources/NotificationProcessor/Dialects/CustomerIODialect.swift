import Base
import NotificationModel

/// The dialect of Customer.io. A push has `CIO-Delivery-ID` or `CIO.push`, with the image in `CIO.push.image`. These
/// keys are beside `aps`, or in Apple's payload of a message to FCM. On Android the keys are at the top.
///
/// A payload that the sender writes itself has no ID (docs.customer.io, "Custom push payloads"). Android's keys are
/// those of customerio-android (`CustomerIOPushNotificationHandler.kt`).
struct CustomerIODialect: MarkedDialect {
    let id: DialectID = "customerio"
    var marks: [[String]] { [["CIO-Delivery-ID"], ["CIO"]] }

    static func mark(of data: JSONNode) -> String? {
        if data.has("CIO-Delivery-ID") { return "CIO-Delivery-ID" }
        return data["CIO"]["push"].object == nil ? nil : "CIO.push"
    }

    func read(_ data: JSONNode, into reading: inout PushPayload) {
        // If a push lacks one of the two keys, the vendor's Android SDK treats it as a push of another sender.
        let hasBoth = data["CIO-Delivery-ID"].text != nil && data["CIO-Delivery-Token"].text != nil
        let isAndroids = hasBoth && data["aps"].object == nil && data["CIO"]["push"].object == nil
        let push = isAndroids ? data : data["CIO"]["push"]
        if isAndroids { reading.say(in: data) }
        reading.providerID = data["CIO-Delivery-ID"].identifier
        let platform: PushPlatform? = !reading.isFCMMessage ? nil : isAndroids ? .android : .apns
        reading.media += [MediaReference(push["image"], platform: platform)].compactMap(\.self)
        reading.link(to: push["link"])
        // The app sends the delivery's ID and token to Customer.io when it reports that a push was delivered or opened
        // (API reference, "Report push metrics").
        reading.details.append("deliveryToken", text: data["CIO-Delivery-Token"].text)
    }
}

package import JSON
package import NotificationModel

/// Customer.io: `CIO-Delivery-ID`, with the picture in `CIO.push.image`.
package struct CustomerIODialect: Dialect {
    package let id: DialectID = "customerio"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["CIO-Delivery-ID"] == nil ? nil : "CIO-Delivery-ID"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let push = payload["CIO"]["push"]
        reading.providerID = payload["CIO-Delivery-ID"].identifier
        reading.media = [MediaReference(push["image"])].compactMap(\.self)
        if let link = push["link"].text { reading.details.append("link", .string(link)) }
        // The app names both to Customer.io when it reports that a push was delivered or opened (API reference, "Report
        // push metrics").
        if let token = payload["CIO-Delivery-Token"].text {
            reading.details.append("deliveryToken", .string(token))
        }
        return reading
    }
}

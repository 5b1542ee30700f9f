package import JSON
package import NotificationModel

/// The dialect of SAP Emarsys. The image is in `image_url` at the top, buttons and campaign are in `ems`, and the
/// message's ID is in `u`.
///
/// The sources of `ems.default_action`, and of a `u` that is a string of JSON, are the tests of the vendor's iOS SDK.
package struct EmarsysDialect: Dialect {
    package let id: DialectID = "emarsys"
    package var marks: [[String]] { [["ems"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        payload["ems"]?.object == nil ? nil : "ems"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let campaign = payload["ems"]
        let message = payload["u"].string == nil ? payload["u"] : payload["u"].embedded
        reading.providerID = message["sid"].identifier
        reading.media = [MediaReference(payload["image_url"])].compactMap(\.self)
        reading.actions = campaign["actions"].elements.compactMap {
            NotificationAction($0, identifier: "id", title: "title")
        }
        if let link = campaign["default_action"]["url"].text { reading.details.append("link", .string(link)) }
        if let id = campaign["multichannelId"].identifier { reading.details.append("campaignId", .string(id)) }
        return reading
    }
}

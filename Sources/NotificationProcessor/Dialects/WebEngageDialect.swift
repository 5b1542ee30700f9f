import Base
import NotificationModel

/// The dialect of WebEngage. `source` names the vendor, and `expandableDetails` has a banner or the cards of a
/// carousel.
///
/// The vendor's `WEServiceExtension` (`WEServiceExtension.swift`, `WERenderer.swift` and `Network.swift`) is the source
/// for tiles over a background, and for the IDs that its tracker reports.
struct WebEngageDialect: APSDialect {
    let id: DialectID = "webengage"
    var marks: [[String]] { [["source", "expandableDetails"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        payload["source"]?.string == "webengage" ? "source=webengage" : nil
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.providerID = payload["notification_id"].identifier
        let details = payload["expandableDetails"]
        let cards = details["items"].elements + details["tiles"].elements
        let image = details["image"]
        var options = AttachmentOptions()
        // If there are tiles, the image is their background, and the SDK hides its thumbnail.
        options.thumbnailHidden = details["style"].string == "TILES"
        reading.media =
            [MediaReference(image, options: options)].compactMap(\.self)
            + cards.compactMap { MediaReference($0["image"]) }
        // Apps that use the SDK read the link from `cta1`.
        reading.link(to: details["cta1"]["actionLink"])
        reading.details.append("experimentId", text: payload["experiment_id"].identifier)
    }
}

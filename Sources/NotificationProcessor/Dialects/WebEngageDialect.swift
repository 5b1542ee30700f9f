package import JSON
package import NotificationModel

/// The dialect of WebEngage. `source` names the vendor, and `expandableDetails` has a banner or the cards of a
/// carousel.
///
/// The vendor's `WEServiceExtension` (`WEServiceExtension.swift`, `WERenderer.swift` and `Network.swift`) is the source
/// for tiles over a background, and for the IDs that its tracker reports.
package struct WebEngageDialect: Dialect {
    package let id: DialectID = "webengage"
    package var marks: [[String]] { [["source", "expandableDetails"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        payload["source"]?.string == "webengage" ? "source=webengage" : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["notification_id"].identifier
        let details = payload["expandableDetails"]
        let cards = details["items"].elements + details["tiles"].elements
        var media = [MediaReference(details["image"], options: Self.options(of: details))]
        media += cards.map { MediaReference($0["image"]) }
        reading.media = media.compactMap(\.self)
        // Apps that use the SDK read the link from `cta1`.
        if let link = details["cta1"]["actionLink"].text { reading.details.append("link", .string(link)) }
        if let experiment = payload["experiment_id"].identifier {
            reading.details.append("experimentId", .string(experiment))
        }
        return reading
    }

    /// Returns the options of the image. If there are tiles, the image is their background, and the SDK hides its
    /// thumbnail.
    private static func options(of details: JSONNode) -> AttachmentOptions {
        var options = AttachmentOptions()
        options.thumbnailHidden = details["style"].string == "TILES"
        return options
    }
}

import Base
import NotificationModel

/// The dialect of Iterable, which has all its keys in `itbl`.
///
/// The vendor's Swift SDK (`NotificationContentParser.swift`) is the source for the reading of buttons, and for an
/// `itbl` that is a string of JSON.
struct IterableDialect: APSDialect {
    let id: DialectID = "iterable"
    var marks: [[String]] { [["itbl"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        payload.root["itbl"].unpacked.object == nil ? nil : "itbl"
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        let metadata = payload["itbl"].unpacked
        reading.providerID = metadata["messageId"].identifier
        reading.media = [MediaReference(metadata["attachment-url"])].compactMap(\.self)
        reading.actions = metadata["actionButtons"].actions(identifier: "identifier", title: "title") {
            $0["action"]["type"].string == "openUrl" ? $0["action"]["data"] : nil
        }
        // The default action may open a link. Older senders have the link beside `itbl`.
        let action = metadata["defaultAction"]
        reading.link(to: action["type"].string == "openUrl" ? action["data"] : payload["url"])
    }
}

import Foundation
import Lab
import NotificationModel

/// The payloads and envelopes of the tests, as texts.
enum ServedPayload {
    static func text(_ body: String) -> String { #"{"aps": {"alert": {"title": "t", "body": "\#(body)"}}}"# }

    /// Returns a payload with media.
    ///
    /// - Parameter fallback: The text of the notification without its media.
    static func media(_ urls: [String], title: String = "t", fallback: String = "without") -> String {
        let media = urls.map { #"{"url": "\#($0)"}"# }.joined(separator: ", ")
        return #"{"title": "\#(title)", "body": "with", "fallback": {"body": "\#(fallback)"}, "media": [\#(media)]}"#
    }

    static func twoMee(_ url: String, providerID: String) -> String {
        """
        {"aps": {"alert": {"title": "t", "body": "with"}, "mutable-content": 1},
         "appear2mee": {"id": "\(providerID)", "stage": "alert", "urls": ["\(url)"], "fbTitle": "t",
         "fbText": "without"}}
        """
    }

    /// Returns an envelope around a payload.
    ///
    /// - Parameter rest: Further keys, each with a comma before it.
    static func envelope(_ payload: String, budget: String, _ rest: String = "") -> String {
        #"{"budget": "\#(budget)"\#(rest), "payload": \#(payload)}"#
    }
}

/// The URLs are different for each call, so that no two requests share a transfer or a stored response.
extension MisbehavingOrigin {
    /// A URL to which the origin does not respond.
    var stalled: String { fresh("/stall/headers/photo-small.jpg") }
    var image: String { fresh("/photo-small.jpg") }

    func fresh(_ path: String) -> String { "\(baseURL)\(path)?\(UUID().uuidString)" }
}

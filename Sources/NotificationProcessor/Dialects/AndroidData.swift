import JSON
import NotificationModel

/// The data of a push that a provider's SDK reads: bare, as the app gets it, in `data` or in Apple's payload of a message to
/// FCM, or in `data` of FCM's legacy API. The values of `data` are strings, and an object in it is a string of JSON.
enum AndroidData {
    /// Finds the data, or Apple's payload at the top, that has a provider's mark.
    ///
    /// - Parameter mark: names the rule that recognises the provider; `nil`: none does.
    /// - Returns: `nil` if no place has the mark.
    static func find(
        in payload: JSONNode, _ mark: (JSONNode) -> String?
    ) -> (data: JSONNode, rule: String)? {
        if let rule = mark(payload) { return (payload, rule) }
        for place in places(in: payload) where place.object != nil {
            if let rule = mark(place) { return (place, place.path.dotted + "." + rule) }
        }
        return nil
    }

    /// The objects in a message to FCM that may have a provider's keys.
    static func places(in payload: JSONNode) -> [JSONNode] {
        if let message = FCMDialect.message(of: payload) {
            return [message["data"], message["apns"]["payload"], message["android"]["data"]]
        }
        return FCMLegacyDialect.rule(of: payload) == nil ? [] : [payload["data"]]
    }
}

extension PushPayload {
    /// The message to FCM that the data is in, or else what `aps` says.
    init(around data: JSONNode, in payload: JSONNode) {
        if data.path == payload.path {
            self.init(aps: APSReader(payload))
        } else if let message = FCMDialect.message(of: payload) {
            self.init(fcm: message)
        } else if data.path == payload["data"].path {
            self.init(legacyFCM: payload)
        } else {
            self.init(aps: APSReader(payload))
        }
    }

    /// Puts lines of the provider's own, if it has any, over those of the payload so far.
    mutating func say(_ text: NotificationText, at place: TextPlace) {
        guard !text.isEmpty else { return }
        successText = text.over(successText)
        textPlaces.append(place)
    }

    /// Takes the lines of a request that speaks to several platforms: those for all, and those that each has of its own.
    mutating func say(_ common: NotificationText, _ own: [PushPlatform: NotificationText], at places: [TextPlace]) {
        platformTexts = own.filter { !$0.value.isEmpty }
        alert = (own[.apns] ?? .init()).over(common)
        successText = [.apns, .android, .webpush].reduce(common) { $0.over(own[$1] ?? .init()) }
        textPlaces = places
    }

    /// Takes the first of the nodes that is a text as the link that a tap opens.
    mutating func link(to nodes: JSONNode...) {
        if let link = nodes.lazy.compactMap(\.text).first { details.append("link", .string(link)) }
    }
}

extension JSONPath {
    /// The keys of the path with dots between them, as the rules of detection write it.
    var dotted: String {
        steps.compactMap { if case .key(let key) = $0 { key } else { nil } }.joined(separator: ".")
    }
}

extension JSONNode {
    /// The value, or what a string of JSON holds.
    var unpacked: JSONNode { string == nil ? self : embedded }

    /// The text, or of texts by their languages the one in the first language that there is, else the English one, else
    /// the first.
    func line(in languages: [LanguageTag]) -> JSONNode {
        guard object != nil else { return self }
        let wanted = languages.flatMap(\.fallbacks).map(\.description) + ["en"]
        return wanted.lazy.map { self[$0] }.first { $0.text != nil } ?? members.first?.node ?? self["en"]
    }
}

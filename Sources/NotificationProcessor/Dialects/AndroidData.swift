import JSON
import NotificationModel

/// The data of a push for an Android app: bare, as the app gets it, in `message.data` of FCM's HTTP v1 API, or in `data`
/// of its legacy API. Its values are strings, and an object in it is a string of JSON.
enum AndroidData {
    /// Finds the data, or Apple's payload at the top, that has a provider's mark.
    ///
    /// - Parameter mark: names the rule that recognises the provider; `nil`: none does.
    /// - Returns: `nil` if no place has the mark.
    static func find(
        in payload: JSONNode, _ mark: (JSONNode) -> String?
    ) -> (data: JSONNode, rule: String)? {
        if let rule = mark(payload) { return (payload, rule) }
        if let data = FCMDialect.message(of: payload)?["data"], data.object != nil, let rule = mark(data) {
            return (data, "message.data." + rule)
        }
        let data = payload["data"]
        guard data.object != nil, FCMLegacyDialect.rule(of: payload) != nil, let rule = mark(data) else { return nil }
        return (data, "data." + rule)
    }
}

extension PushPayload {
    /// The message to FCM that the data is in, or else what `aps` says.
    init(around data: JSONNode, in payload: JSONNode) {
        switch data.path.steps.first {
        case .key("message"): self.init(fcm: payload["message"])
        case .key("data"): self.init(legacyFCM: payload)
        default: self.init(aps: APSReader(payload))
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

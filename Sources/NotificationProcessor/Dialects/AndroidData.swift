package import Base
import NotificationModel

/// The data of a push that a provider's SDK reads. The data is the payload itself, as the app receives it. In a message
/// to FCM it is `data` or Apple's payload, and in a message to FCM's legacy API it is `data`. The values of `data` are
/// strings. An object in `data` is therefore a string of JSON.
enum AndroidData {
    /// Finds the data, or the payload itself, that has a provider's identifying key.
    ///
    /// - Parameter mark: A function that returns the rule that recognises the provider; `nil` if no rule recognises it.
    /// - Returns: The data and the rule; `nil` if no object has the identifying key.
    static func find(
        in payload: JSONNode, _ mark: (JSONNode) -> String?
    ) -> (data: JSONNode, rule: String)? {
        if let rule = mark(payload) { return (payload, rule) }
        return find(in: places(in: payload), mark)
    }

    fileprivate static func find(
        in places: [JSONNode], _ mark: (JSONNode) -> String?
    ) -> (data: JSONNode, rule: String)? {
        // An index borrows each node, and an iterator would copy it.
        for index in places.indices where places[index].object != nil {
            if let rule = mark(places[index]) { return (places[index], places[index].path.dotted + "." + rule) }
        }
        return nil
    }

    /// Returns the objects in a message to FCM that may have a provider's keys.
    static func places(in payload: JSONNode) -> [JSONNode] { places(in: payload, FCMDialect.message(of: payload)) }

    fileprivate static func places(in payload: JSONNode, _ message: JSONNode?) -> [JSONNode] {
        if let message { return [message["data"], message["apns"]["payload"], message["android"]["data"]] }
        return FCMLegacyDialect.rule(of: payload) == nil ? [] : [payload["data"]]
    }
}

/// A payload whose dialect is looked for, and the objects in it that may have a provider's keys.
package struct PayloadLayout: Sendable {
    package let object: JSONObject
    /// The payload as a node. Its lookups are not recorded.
    let root: JSONNode
    /// The message that a server sends to FCM; `nil` if the payload is no such message.
    let message: JSONNode?
    /// The objects in a message to FCM that may have a provider's keys.
    let places: [JSONNode]

    package init(_ payload: JSONObject) {
        object = payload
        root = JSONNode(payload)
        message = FCMDialect.message(of: root)?.withWholePath
        places = AndroidData.places(in: root, message).map(\.withWholePath)
    }

    package subscript(key: String) -> JSONValue? { object[key] }

    /// Finds the data, or the payload itself, that has a provider's identifying key.
    ///
    /// - Parameter mark: A function that returns the rule that recognises the provider; `nil` if no rule recognises it.
    /// - Returns: The data and the rule; `nil` if no object has the identifying key.
    func find(_ mark: (JSONNode) -> String?) -> (data: JSONNode, rule: String)? {
        if let rule = mark(root) { return (root, rule) }
        return AndroidData.find(in: places, mark)
    }
}

extension PushPayload {
    /// Creates the payload from the message to FCM that contains the data. Otherwise creates it from `aps`.
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

    /// Takes the provider's own title, subtitle and body. These texts take precedence over earlier ones.
    mutating func say(_ text: NotificationText, at place: TextPlace) {
        guard !text.isEmpty else { return }
        successText = text.over(successText)
        textPlaces.append(place)
    }

    /// Takes the provider's own title, subtitle and body, each from its node.
    mutating func say(title: JSONNode? = nil, subtitle: JSONNode? = nil, body: JSONNode? = nil) {
        say(
            NotificationText(title: title?.text, subtitle: subtitle?.text, body: body?.text),
            at: .lines(title: title?.path, subtitle: subtitle?.path, body: body?.path))
    }

    /// Takes the provider's own title, subtitle and body, which are members of one object.
    mutating func say(in node: JSONNode, title: String = "title", subtitle: String? = nil, body: String = "body") {
        say(title: node[title], subtitle: subtitle.map { node[$0] }, body: node[body])
    }

    /// Takes the texts of a request to several platforms: the texts for all platforms, and each platform's own texts.
    mutating func say(_ common: NotificationText, _ own: [PushPlatform: NotificationText], at places: [TextPlace]) {
        platformTexts = own.filter { !$0.value.isEmpty }
        alert = (own[.apns] ?? .init()).over(common)
        successText = [.apns, .android, .webpush].reduce(common) { $0.over(own[$1] ?? .init()) }
        textPlaces = places
    }

    /// Takes the first node that is a text as the link that a tap opens.
    mutating func link(to nodes: JSONNode...) { details.append("link", text: nodes.lazy.compactMap(\.text).first) }
}

extension JSONPath {
    /// The keys of the path with dots between them, as the rules of detection write it.
    var dotted: String { steps.compactMap { if case .key(let key) = $0 { key } else { nil } }.joined(separator: ".") }
}

extension JSONNode {
    /// The value itself, or the JSON value in it if it is a string.
    var unpacked: JSONNode { string == nil ? self : embedded }

    /// Returns the text. If there are texts by language, returns the text in the first of `languages` that has one. If
    /// no text is found, returns the English text. Without an English text, returns the first text.
    func line(in languages: [LanguageTag]) -> JSONNode {
        guard object != nil else { return self }
        let wanted = languages.map(\.description) + ["en"]
        return wanted.lazy.map { self[$0] }.first { $0.text != nil } ?? members.first?.node ?? self["en"]
    }
}

import Base
import NotificationModel

/// The dialect of Pushwoosh. In a push `attachment` is the URL itself, and the data of Android has `pw_msg`. A request
/// to the API, `/createMessage`, has `request.notifications`, of which the first is read.
///
/// `p`, `l` (the link) and `u` (the sender's own data, a string of JSON) are from the vendor's "Push Notification
/// payload keys". Other sources are the vendor's answers in Pushwoosh/pushwoosh-ios-sdk#68 and
/// Pushwoosh/pushwoosh-sdk-samples#24. The vendor's page also has the keys of Android (`header`, `b`, `ci`) and of the
/// request, but not the key of Android's text.
struct PushwooshDialect: Dialect {
    let id: DialectID = "pushwoosh"
    var marks: [[String]] { [["attachment"], ["pw_msg"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["attachment"]?.string != nil { return "attachment" }
        if let place = payload.find(Self.mark) { return place.rule }
        return Self.notification(of: payload.root).object == nil ? nil : "request.notifications[]"
    }

    private static func mark(of data: JSONNode) -> String? { data.has("pw_msg") ? "pw_msg" : nil }

    private static func notification(of payload: JSONNode) -> JSONNode { payload["request"]["notifications"][0] }

    func read(_ payload: JSONNode) -> PushPayload { read(payload, in: []) }

    func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload {
        let isPush = payload["attachment"].string != nil
        if !isPush, let data = AndroidData.find(in: payload, Self.mark)?.data { return Self.push(data, in: payload) }
        let notification = Self.notification(of: payload)
        return isPush || notification.object == nil
            ? Self.push(payload, in: payload) : Self.request(notification, in: languages)
    }

    private static func push(_ data: JSONNode, in payload: JSONNode) -> PushPayload {
        var reading = PushPayload(around: data, in: payload)
        if data["pw_msg"].exists, data["aps"].object == nil {
            reading.say(title: data["header"])
            reading.media += [
                MediaReference(data["b"]), MediaReference(webURL: data["ci"], role: .icon),
            ].compactMap(\.self)
        }
        reading.providerID = data["p"].identifier
        reading.media += [MediaReference(data["attachment"])].compactMap(\.self)
        reading.link(to: data["l"])
        reading.take(userData: data["u"])
        return reading
    }

    private static func request(_ notification: JSONNode, in languages: [LanguageTag]) -> PushPayload {
        let (root, body) = (notification["ios_root_params"], notification["content"].line(in: languages))
        var reading = PushPayload(aps: APSReader(root))
        let places = [
            TextPlace.lines(
                title: notification["ios_title"].path, subtitle: notification["ios_subtitle"].path, body: body.path),
            .lines(title: notification["android_header"].path, subtitle: nil, body: nil),
        ]
        reading.say(
            NotificationText(body: body.text),
            [
                .apns: NotificationText(
                    title: notification["ios_title"].text, subtitle: notification["ios_subtitle"].text),
                .android: NotificationText(title: notification["android_header"].text),
            ], at: places)
        reading.aps.hasVisibleAlert = !reading.alert.isBlank
        reading.media = [
            MediaReference(root["attachment"], platform: .apns),
            MediaReference(notification["android_banner"], platform: .android),
            MediaReference(webURL: notification["android_custom_icon"], role: .icon, platform: .android),
        ].compactMap(\.self)
        reading.link(to: notification["link"])
        reading.take(userData: notification["data"])
        return reading
    }
}

extension PushPayload {
    fileprivate mutating func take(userData node: JSONNode) {
        switch node.value {
        case .string(let data)?: details.append("userData", .string(data))
        case .object(let data)?: details.append("userData", .object(data))
        default: break
        }
    }
}

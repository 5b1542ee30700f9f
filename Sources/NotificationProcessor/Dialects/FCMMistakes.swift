import Base
import NotificationModel

/// The check of a message to FCM for mistakes. The check applies to the messages of all senders.
struct FCMMistakes {
    private let payload: PayloadLayout

    init(_ payload: PayloadLayout) { self.payload = payload }

    // MARK: Options at a wrong path

    /// Returns a problem for each `fcm_options` whose `image` FCM does not read. An image that the message also has at
    /// another path is shown, and is no problem.
    ///
    /// - Parameter reading: The result of reading the message.
    func misplacedOptions(_ reading: PushPayload) -> [PayloadProblem] {
        guard reading.isFCMMessage, let message = payload.message else { return [] }
        let (android, apns, web) = (message["android"], message["apns"], message["webpush"])
        let parents =
            (message.path == payload.root.path ? [] : [payload.root]) + [
                message, message["notification"], android, android["notification"], apns["payload"],
                apns["payload"]["aps"], web, web["notification"],
            ]
        let read = Set(reading.media.map(\.url))
        return parents.map { $0["fcm_options"] }.filter { options in
            options["image"].text.map { !read.contains($0) } ?? false
        }.map { options in
            PayloadProblem(
                "fcm-options-place", options, "fcm_options has an image in a place where FCM reads none",
                fix: "Move the image to message.apns.fcm_options, beside apns.payload")
        }
    }

    // MARK: Strings of JSON

    /// Keys that only one sender uses. The documents of that sender define the value as a string of JSON.
    private static let ownKeys = [
        "notifee", "notifee_options", "sendbird", "ejson", "_wp", "_sw", "com.batch", "com.urbanairship.style",
        "com.urbanairship.actions", "mp_buttons", "mp_ontap", "c.b",
    ]
    /// Keys that other senders use for texts, too. The keys are `custom` of OneSignal and Optimobile, `o` of OneSignal,
    /// `mp` of Mixpanel, and `content` and `actionButtons` of awesome_notifications. Further keys are `message` of
    /// Blueshift, `actions` and `attributes` of Bloomreach, and `actions` of ntfy.
    private static let sharedKeys = [
        "custom", "o", "mp", "content", "actionButtons", "message", "actions", "attributes",
    ]

    /// The problems of the strings in `data` that are broken JSON. No dialect reads the values in them.
    var brokenJSON: [PayloadProblem] {
        payload.places.filter { $0.path.steps.last == .key("data") }.flatMap { data in
            Self.ownKeys.compactMap { Self.broken(data[$0], $0) }
                + Self.sharedKeys.filter { Self.beginsLikeJSON(data[$0].text ?? "") }.compactMap {
                    Self.broken(data[$0], $0)
                }
        }
    }

    private static func broken(_ node: JSONNode, _ key: String) -> PayloadProblem? {
        guard let text = node.text else { return nil }
        do throws(JSONSyntaxError) {
            _ = try JSONParser.value(of: text)
            return nil
        } catch {
            return PayloadProblem(
                "fcm-data-json", node, "\(key) is a string that is not JSON: \(error)",
                fix: "Write the value with a JSON library, and put the result into the string")
        }
    }

    /// Returns whether a text begins with an object, or with an array of objects. Some programs write single quotes.
    private static func beginsLikeJSON(_ text: String) -> Bool {
        let marks = text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace }.prefix(2).map(Character.init)
        return ["{", "{\"", "{'", "[{"].contains(String(marks))
    }
}

extension PushPayload {
    /// Returns this payload with the mistakes in a message to FCM. The problems have the order of the payload.
    func reportingMessageProblems(of payload: PayloadLayout) -> PushPayload {
        guard dialect != nil else { return self }
        let mistakes = FCMMistakes(payload)
        let found = mistakes.misplacedOptions(self) + mistakes.brokenJSON
        guard !found.isEmpty else { return self }
        let value = JSONValue.object(payload.object)
        var places = problems.map { value.position(of: $0.place) }
        var reading = self
        for problem in found {
            let place = value.position(of: problem.place)
            let index = places.firstIndex { place.lexicographicallyPrecedes($0) } ?? places.endIndex
            places.insert(place, at: index)
            reading.problems.insert(problem, at: index)
        }
        return reading
    }
}

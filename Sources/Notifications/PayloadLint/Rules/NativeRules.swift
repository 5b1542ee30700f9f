import Base
import NotificationModel
import NotificationProcessor

/// The rules for payloads in appgroupd's own format.
enum NativeRules {
    static let all = [item, role, options]

    private static let page = "See docs/use/dialects.md, `native`."

    private static let item = LintRule.each(
        media, "native-medium", .error, "An element of `media` is not an object with a string `url`.", source: page
    ) { element, _ in
        guard element["url"].string == nil else { return nil }
        return RuleFinding(
            element["url"].exists ? element["url"] : element, "the media item has no url, and is left out",
            fix: "Write {\"url\": \"https://…\"}")
    }

    private static let role = LintRule(
        "native-role", .error, "The `role` of a media item is unknown. The media item counts as an attachment.",
        source: page
    ) { subject in
        let known = MediaRole.allCases.map(\.rawValue)
        return media(subject).map { $0["role"] }.compactMap { node in
            guard let value = node.value, value != .null, !known.contains(value.string ?? "") else { return nil }
            let guess = value.string.flatMap { KeyGuess.nearest(to: $0, among: known) }
            return RuleFinding(
                node,
                "\(value.string.map { VisibleText.quoted($0) } ?? value.typeName) is not a role"
                    + (guess.map { "; did you mean \($0)?" } ?? ""),
                fix: "Write one of: \(known.joined(separator: ", "))")
        }
    }

    private static let keys = ["thumbnailHidden", "thumbnailClippingRect", "thumbnailTime"]

    private static let options = LintRule(
        "native-options", .error,
        "An option of a media item is unknown, or its value is outside the range that Apple permits. The option has no effect.",
        source: page
            + " Apple, `UNNotificationAttachmentOptions…Key`: rectangles have coordinates from 0 to 1, and times are 0 seconds or more."
    ) { subject in
        media(subject).map { $0["options"] }.flatMap { options -> [RuleFinding] in
            guard let value = options.value, value != .null else { return [] }
            guard let object = value.object else {
                return [RuleFinding(options, "options is \(value.typeName), not an object", fix: "Write an object")]
            }
            let unknown = object.keys.prefix(16).filter { !keys.contains($0) }.map { key in
                let guess = KeyGuess.nearest(to: key, among: keys)
                return RuleFinding(
                    options[key],
                    "\(VisibleText.quoted(key)) is not an option" + (guess.map { "; did you mean \($0)?" } ?? ""),
                    fix: "Write one of: \(keys.joined(separator: ", "))")
            }
            return unknown + [hidden(options), rectangle(options), time(options)].compactMap(\.self)
        }
    }

    private static func hidden(_ options: JSONNode) -> RuleFinding? {
        let node = options["thumbnailHidden"]
        guard let value = node.value, value != .null, value.bool == nil, ![0, 1].contains(value.integer) else {
            return nil
        }
        return RuleFinding(node, "thumbnailHidden is \(value.typeName), not true or false", fix: "Write true or false")
    }

    private static func rectangle(_ options: JSONNode) -> RuleFinding? {
        let node = options["thumbnailClippingRect"]
        guard let value = node.value, value != .null else { return nil }
        guard let rectangle = Rectangle<Double>(node) else {
            return RuleFinding(
                node, "thumbnailClippingRect is not a rectangle with x, y, width and height from 0 to 1",
                fix: "Write {\"x\": 0, \"y\": 0, \"width\": 1, \"height\": 1}")
        }
        guard rectangle.isOutsideOfImage else { return nil }
        return RuleFinding(
            node, "thumbnailClippingRect is outside of the image, and has no effect",
            fix: "Write width and height above 0, and x and y below 1")
    }

    private static func time(_ options: JSONNode) -> RuleFinding? {
        let node = options["thumbnailTime"]
        guard let value = node.value, value != .null, (value.double ?? -1) < 0 else { return nil }
        return RuleFinding(
            node, "thumbnailTime is not a number of 0 or more",
            fix: "Write seconds from the start of the video, such as 2.5")
    }

    private static func media(_ subject: LintSubject) -> [JSONNode] {
        subject.isRead(as: "native") ? subject.payload["media"].elements : []
    }
}

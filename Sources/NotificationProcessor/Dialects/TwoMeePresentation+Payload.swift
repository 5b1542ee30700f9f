import Base
import NotificationModel

extension TwoMeePresentation {
    /// The longest time, in seconds: one day. A longer time is a mistake.
    private static let maxTime = 86_400.0

    /// The height of the extended view as a part of its width, by the guide ("Content Extension Integration",
    /// `UNNotificationExtensionInitialContentSizeRatio`).
    private static let contentSizeRatio = JSONValue.number(JSONNumber(0.6))

    private static let names = [
        "dismissTime", "headPosition", "shouldersPosition", "centerBackgroundColor", "backgroundColor",
        "backgroundImage",
    ]

    /// The maximum number of unknown members that are reported. A usual object has fewer members.
    private static let maxUnknown = 16

    /// Returns the member for the result. Only a face is dismissed by itself, and has a position.
    func details(isFace: Bool) -> JSONObject {
        var details = JSONObject()
        if isFace {
            details.append("dismissTime", dismissTime.map { .number(JSONNumber($0.seconds)) } ?? .null)
            details.append("headPosition", .string(headPosition.rawValue))
            details.append("shouldersPosition", .string(shouldersPosition.rawValue))
            details.append("centerBackgroundColor", .string(centerBackgroundColor))
        }
        details.append("backgroundColor", .string(isFace ? faceBackgroundColor : backgroundColor))
        details.append("backgroundImage", .string(isFace ? faceBackgroundImage : backgroundImage))
        details.append("initialContentSizeRatio", Self.contentSizeRatio)
        return details
    }

    /// Returns these settings, with the members of a payload's object instead of their values. A wrong value has no
    /// effect.
    func reading(_ node: JSONNode) -> (shown: TwoMeePresentation, problems: [PayloadProblem]) {
        var members = Members(node)
        var shown = self
        let time = members.read("dismissTime", "a number of seconds up to a day, negative for never") { member in
            member.double.flatMap { $0 <= Self.maxTime ? $0 : nil }
        }
        if let time { shown.dismissTime = time < 0 ? nil : .seconds(time) }
        shown.headPosition = members.word("headPosition") ?? headPosition
        shown.shouldersPosition = members.word("shouldersPosition") ?? shouldersPosition
        shown.centerBackgroundColor = members.color("centerBackgroundColor") ?? centerBackgroundColor
        let color = members.color("backgroundColor")
        shown.backgroundColor = color ?? backgroundColor
        shown.faceBackgroundColor = color ?? faceBackgroundColor
        let image = members.read("backgroundImage", "the name of an image", \.text)
        shown.backgroundImage = image ?? backgroundImage
        shown.faceBackgroundImage = image ?? faceBackgroundImage
        members.reportUnknown()
        return (shown, members.problems)
    }

    /// The reader of the payload's object, which records a problem for each mistake.
    private struct Members {
        let node: JSONNode
        var problems: [PayloadProblem] = []

        init(_ node: JSONNode) {
            self.node = node
            guard let value = node.value, value != .null, value.object == nil else { return }
            problems = [
                PayloadProblem(
                    "2mee-presentation", node, "presentation is \(value.typeName), not an object",
                    fix: "Write an object, or remove presentation")
            ]
        }

        /// Adds a problem for each member that has no effect.
        mutating func reportUnknown() {
            let unknown = (node.object?.keys ?? []).filter { !names.contains($0) }
            problems += unknown.prefix(maxUnknown).map { key in
                let guess = names.first { NearestWord.isSlip(key, of: $0) }
                return PayloadProblem(
                    "2mee-presentation", node[key],
                    "\(VisibleText.quoted(key)) is not read" + (guess.map { "; did you mean \($0)?" } ?? ""),
                    fix: guess.map { "Rename it to \($0)" } ?? "Write one of: \(names.joined(separator: ", "))")
            }
        }

        mutating func read<Value>(_ key: String, _ expected: String, _ parse: (JSONNode) -> Value?) -> Value? {
            let member = node[key]
            guard let written = member.value, written != .null else { return nil }
            if let value = parse(member) { return value }
            problems.append(
                PayloadProblem("2mee-presentation", member, "\(key) is not \(expected)", fix: "Write \(expected)"))
            return nil
        }

        mutating func word<Word: RawRepresentable & CaseIterable>(
            _ key: String
        ) -> Word? where Word.RawValue == String {
            read(key, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", ")) { member in
                member.string.flatMap { Word(rawValue: $0.lowercased()) }
            }
        }

        mutating func color(_ key: String) -> String? {
            read(key, "a colour, such as #rrggbb or #rrggbbaa") { $0.string.flatMap(TwoMeePresentation.color) }
        }
    }
}

import Base
import NotificationModel

extension ValueCodec where Value == [TwoMeePresentationRule] {
    private typealias Changes = TwoMeePresentationRule.Changes

    /// The largest number of rules. Each message is compared with each of them.
    private static let most = 100

    private static let keys = [
        "dismissTime", "headPosition", "shouldersPosition", "centerBackgroundColor", "backgroundColor",
        "faceBackgroundColor", "backgroundImage", "faceBackgroundImage",
    ]

    private static var dismissal: ValueCodec<Duration> { .duration(.zero...(.days(1))) }

    /// The codec of the presentations by a value in the keys of a message. Each has the keys of the section `twomee`.
    static var presentationRules: ValueCodec {
        ValueCodec(
            expected:
                "a mapping of values or of `KEY == VALUE` to keys of this section that have to do with the presentation, such as {dark: {faceBackgroundColor: \"#000000cc\"}}",
            shape: .mapping, read: readRules,
            json: { rules in
                .object(rules.reduce(into: JSONObject()) { $0.append($1.name, .object(json(of: $1.changes))) })
            })
    }

    private static func json(of changes: Changes) -> JSONObject {
        var shown = JSONObject()
        if let time = changes.dismissTime {
            shown.append("dismissTime", time.map(dismissal.json) ?? "none")
        }
        for (key, text) in [
            ("headPosition", changes.headPosition?.rawValue),
            ("shouldersPosition", changes.shouldersPosition?.rawValue),
            ("centerBackgroundColor", changes.centerBackgroundColor), ("backgroundColor", changes.backgroundColor),
            ("faceBackgroundColor", changes.faceBackgroundColor), ("backgroundImage", changes.backgroundImage),
            ("faceBackgroundImage", changes.faceBackgroundImage),
        ] {
            if let text { shown.append(key, .string(text)) }
        }
        return shown
    }

    private static func readRules(_ value: ConfigNode) throws(ValueErrors) -> Value {
        guard case .map(let members) = value.content else {
            throw value.refusal(
                "\(value.warning): it must be a mapping of values, such as {dark: {faceBackgroundColor: \"#000000cc\"}}"
            )
        }
        guard members.count <= most else { throw value.refusal("has more than \(most) names: remove some") }
        var rules: Value = []
        var refusals: [ValueError] = []
        for member in members {
            do throws(ValueErrors) {
                rules.append(try rule(member))
            } catch {
                refusals += error.below(".\(KeySuggestion.shown(member.name))")
            }
        }
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
        return rules
    }

    private static func rule(_ member: ConfigNode.Member) throws(ValueErrors) -> TwoMeePresentationRule {
        let changes = try readChanges(member.value)
        do throws(KeyPathError) {
            return try TwoMeePresentationRule(member.name, changes)
        } catch {
            throw ValueErrors(
                member.source, "\(QuotedText.verbatim(error.text)), character \(error.position): \(error.problem)")
        }
    }

    private static func readChanges(_ value: ConfigNode) throws(ValueErrors) -> Changes {
        var reader = try MappingReader(value, keys: keys)
        var changes = Changes()
        changes.dismissTime = reader.value(
            "dismissTime", ValueCodec<Duration?>.orNone(dismissal))
        changes.headPosition = reader.value("headPosition", .choice)
        changes.shouldersPosition = reader.value("shouldersPosition", .choice)
        changes.centerBackgroundColor = reader.value("centerBackgroundColor", .color)
        changes.backgroundColor = reader.value("backgroundColor", .color)
        changes.faceBackgroundColor = reader.value("faceBackgroundColor", .color)
        changes.backgroundImage = reader.value("backgroundImage", .label)
        changes.faceBackgroundImage = reader.value("faceBackgroundImage", .label)
        try reader.finish()
        return changes
    }
}

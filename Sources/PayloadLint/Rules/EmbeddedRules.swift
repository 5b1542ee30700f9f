import JSON
import NotificationModel

/// The rule for strings that must be JSON.
enum EmbeddedRules {
    static let all = [embedded]

    /// The keys whose strings must be JSON. Their values can also be objects, which are not checked here.
    private static let places: [(dialect: String, key: String)] = [
        ("clevertap", "pt_json"), ("clevertap", "ct_ContentSlider"), ("clevertap", "wzrk_acts"), ("batch", "com.batch"),
        ("emarsys", "u"), ("ntfy", "actions"), ("mixpanel", "mp_buttons"), ("mixpanel", "mp_ontap"), ("countly", "c.b"),
        ("bloomreach", "actions"), ("blueshift", "message"), ("sns", "APNS"), ("sns", "APNS_SANDBOX"), ("sns", "GCM"),
    ]

    private static let embedded = LintRule(
        "embedded-json", .error, "A string that must be JSON is not JSON. The values in the string are lost.",
        source:
            "The strings are CleverTap's `pt_json`, `ct_ContentSlider` and `wzrk_acts`, Batch's `com.batch`, Emarsys' `u`, Iterable's `itbl`, ntfy's `actions`, Mixpanel's `mp_buttons` and `mp_ontap`, Countly's `c.b`, Bloomreach's `actions`, Blueshift's `message`, and `APNS`, `APNS_SANDBOX` and `GCM` of Amazon SNS."
    ) { subject in
        let keys = places.filter { subject.isRead(as: .init($0.dialect)) }.map(\.key)
        // The key `itbl` is checked in every payload, because no dialect recognises a payload whose `itbl` is not JSON.
        return (keys + ["itbl"]).map { subject.payload[$0] }.compactMap { node in
            guard let text = node.text else { return nil }
            do throws(JSONSyntaxError) {
                _ = try JSONParser.value(of: text)
                return nil
            } catch {
                return LintFlaw(
                    node, "the string is not JSON: \(error)",
                    fix: "Write the value with a JSON library, and put the result into the string")
            }
        }
    }
}

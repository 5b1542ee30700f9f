import JSON
import NotificationModel

/// The pairs of keys and values of a 2mee message, which are for the app's code after accept and dismiss.
///
/// A push has an object. A REST request has a list of objects with `key` and `value`. A list whose elements are lists
/// of a key and a value is also read.
enum TwoMeeKeys {
    /// The maximum number of problems that are reported. A message has few pairs.
    private static let mostProblems = 8

    static func read(_ node: JSONNode) -> (read: JSONObject?, problems: [PayloadProblem]) {
        guard let value = node.value, value != .null else { return (nil, []) }
        if let keys = value.object { return (keys, []) }
        guard value.array != nil else {
            let problem = PayloadProblem(
                "2mee-keys", node, "this is \(value.typeName), not an object, and is left out",
                fix: "Write an object with the keys and their values")
            return (nil, [problem])
        }
        var (keys, problems) = (JSONObject(), [PayloadProblem]())
        for element in node.elements {
            let isPair = element.array?.count == 2
            let (key, pair) = isPair ? (element[0], element[1]) : (element["key"], element["value"])
            guard let name = key.text, let value = pair.value else {
                problems.append(
                    PayloadProblem(
                        "2mee-keys", element, "this is not a pair of a key and a value, and is left out",
                        fix: "Write {\"key\": \"NAME\", \"value\": \"VALUE\"}"))
                continue
            }
            keys.append(name, value)
        }
        return (keys, Array(problems.prefix(mostProblems)))
    }
}

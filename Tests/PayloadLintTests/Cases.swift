/// The payloads for the test of one rule: some with the rule's mistake, and some that are similar but correct.
struct RuleCase: Sendable, CustomStringConvertible {
    let rule: String
    /// Payloads with exactly one finding of the rule, each with the pointer of the finding.
    let fires: [(text: String, pointer: String)]
    /// Payloads without a finding of the rule.
    let spares: [String]

    init(_ rule: String, _ fires: [(String, String)], spares: [String]) {
        self.rule = rule
        self.fires = fires.map { (text: $0.0, pointer: $0.1) }
        self.spares = spares
    }

    var description: String { rule }

    static let all = files + envelopes + detection + keys + values + delivery + headers + media + texts + providers

    /// Returns a payload whose `aps` has the given members, with other members beside `aps`.
    static func aps(_ members: String, _ beside: String = "") -> String {
        #"{"aps": {\#(members)}\#(beside.isEmpty ? "" : ", " + beside)}"#
    }

    static let alert = #""alert": {"title": "Hi", "body": "There"}"#
    static let rich = alert + #", "mutable-content": 1"#

    /// Returns a push with `mutable-content` and one media item at the URL.
    static func image(_ url: String) -> String { aps(rich, #""image": "\#(url)""#) }
}

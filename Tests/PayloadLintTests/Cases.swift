/// What a rule must see, and what is nearly that.
struct RuleCase: Sendable, CustomStringConvertible {
    let rule: String
    /// Payloads with exactly one finding of the rule, and where.
    let fires: [(text: String, pointer: String)]
    /// Payloads with none of it.
    let spares: [String]

    init(_ rule: String, _ fires: [(String, String)], spares: [String]) {
        self.rule = rule
        self.fires = fires.map { (text: $0.0, pointer: $0.1) }
        self.spares = spares
    }

    var description: String { rule }

    static let all = files + envelopes + detection + keys + values + delivery + headers + media + texts + providers

    /// With an `aps` of these members, and these beside it.
    static func aps(_ members: String, _ beside: String = "") -> String {
        #"{"aps": {\#(members)}\#(beside.isEmpty ? "" : ", " + beside)}"#
    }

    static let alert = #""alert": {"title": "Hi", "body": "There"}"#
    static let rich = alert + #", "mutable-content": 1"#

    /// A rich push with one medium at this URL.
    static func image(_ url: String) -> String { aps(rich, #""image": "\#(url)""#) }
}

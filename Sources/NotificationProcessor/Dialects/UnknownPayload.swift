import Base
import NotificationModel

/// The search for the reason why no dialect recognises a payload, as far as the payload shows the reason. The result,
/// `lint` and the error of `payloads.unknown: reject` all have this reason.
///
/// The search is bounded, because a hostile sender chooses the payload. The search compares at most 64 keys of one
/// object. It passes at most 32 values to the dialects, from at most three levels. It parses no string of more than 64
/// KiB.
struct UnknownPayload {
    private static let maxKeys = 64
    private static let maxOpened = 32
    private static let deepest = 3
    /// The largest string that is parsed, in bytes. A push has at most 5,120 bytes.
    private static let maxUnpacked = 1 << 16
    /// Keys that all kinds of objects have. These keys identify no sender.
    private static let general: Set<String> = [
        "message", "messages", "data", "notification", "notifications", "title", "body", "text", "image", "source",
        "user", "to", "topic", "token", "content", "contents", "attachment", "attachments", "custom", "url", "media",
        "condition", "channels", "target", "parts", "where",
    ]

    private let layout: PayloadLayout
    private let dialects: [any Dialect]
    private var object: JSONObject { layout.object }
    private var payload: JSONNode { layout.root }

    init(_ payload: PayloadLayout, _ dialects: [any Dialect]) {
        layout = payload
        self.dialects = dialects
    }

    var problem: PayloadProblem {
        nearlyRecognised ?? misspeltAPS ?? wrapped ?? encoded ?? mistyped ?? misspelt ?? misspeltGeneral ?? incomplete
            ?? problem(lacking: ["aps"], of: "apns")
    }

    /// The mistake that a dialect finds in a payload which is probably in its format.
    private var nearlyRecognised: PayloadProblem? {
        guard
            var problem =
                dialects.lazy.compactMap({ $0 as? any LooseDialect }).flatMap({ $0.problems(ofUnrecognised: layout) })
                .first
        else { return nil }
        // The dialect reports only that it does not recognise the payload, like all other dialects.
        if problem.rule.hasSuffix("-unrecognised") { problem.rule = PayloadProblem.unknownPayload }
        return problem
    }

    private func found(at node: JSONNode? = nil, _ finding: String, fix: String) -> PayloadProblem {
        PayloadProblem(
            PayloadProblem.unknownPayload, node ?? payload, "no dialect recognises the payload; \(finding)", fix: fix)
    }

    // MARK: A push within another object

    private var wrapped: PayloadProblem? {
        guard let (node, dialect) = push else { return nil }
        return found(
            at: node, "this value is a payload of \(dialect)",
            fix: "Send this value alone, or as payload in an envelope")
    }

    /// The first value in the payload that a dialect recognises. The value may also be a string of JSON.
    private var push: (node: JSONNode, dialect: DialectID)? {
        var level = [payload]
        var opened = 0
        for _ in 0..<Self.deepest {
            var inner: [JSONNode] = []
            for node in level {
                for value in Self.values(in: node) where value.object != nil {
                    opened += 1
                    guard opened <= Self.maxOpened else { return nil }
                    if let layout = value.object.map(PayloadLayout.init),
                        let dialect = dialects.first(where: { $0.recognises(layout) })
                    {
                        return (value, dialect.id)
                    }
                    inner.append(value)
                }
            }
            level = inner
        }
        return nil
    }

    private static func values(in node: JSONNode) -> [JSONNode] {
        (node.object?.keys.prefix(maxKeys) ?? []).map { key in
            let value = node[key]
            if let text = value.string, text.utf8.count > maxUnpacked { return value }
            return value.array == nil ? value.unpacked : value[0]
        }
    }

    // MARK: Identifying keys of a dialect

    /// The problem of an identifying key whose value is a string instead of an object.
    private var encoded: PayloadProblem? {
        let singles = dialects.flatMap(\.marks).filter { $0.count == 1 }.joined()
        guard let key = singles.first(where: { payload[$0].text.map(Self.isObject) ?? false }) else {
            guard let value = payload["aps"].value, value != .null else { return nil }
            return found(at: payload["aps"], "aps is \(value.typeName), not an object", fix: "Write aps as an object")
        }
        return found(
            at: payload[key], "\(key) is a string of JSON, not an object",
            fix: "Write the object itself, without quotes")
    }

    private static func isObject(_ text: String) -> Bool {
        text.drop { $0.isWhitespace }.first == "{" && JSONNode(.string(text)).embedded.object != nil
    }

    /// The problem of an identifying key whose value has another type than its dialect reads. A key that many senders
    /// use is considered only if all keys that the dialect requires together are present.
    private var mistyped: PayloadProblem? {
        for dialect in dialects {
            let present = dialect.marks.map { marks in marks.filter { (payload[$0].value ?? .null) != .null } }
            let marks = zip(dialect.marks, present).flatMap { marks, present in
                marks.count > 1 && marks == present ? present : present.filter(Self.isOwn)
            }
            guard !marks.isEmpty else { continue }
            let record = JSONLookups()
            _ = dialect.read(JSONNode(.object(object), recordedIn: record))
            let wrong = record.all.first { lookup in
                lookup.isOfWrongType && marks.contains { lookup.path == JSONPath([.key($0)]) }
            }
            guard let wrong, let type = wrong.value?.typeName else { continue }
            let node = JSONNode(wrong.value, path: wrong.path)
            let kinds = wrong.kinds.map(\.label).joined(separator: " or ")
            return found(
                at: node, "\(wrong.path.dotted) is \(type), but \(dialect.id) reads \(kinds) there",
                fix: "Write \(kinds)")
        }
        return nil
    }

    private var keys: [String] { Array(object.keys.prefix(Self.maxKeys)) }

    private var misspeltAPS: PayloadProblem? {
        MisspeltAPS.keys(of: object).first.map { misspelling($0, of: "aps", "apns") }
    }

    /// The problem of a misspelt identifying key. A difference only in case takes precedence.
    private var misspelt: PayloadProblem? {
        misspelt { $0.lowercased() == $1.lowercased() } ?? misspelt { NearestWord.isSlip($0, of: $1) }
    }

    private func misspelt(_ isMeant: (_ key: String, _ mark: String) -> Bool) -> PayloadProblem? {
        for dialect in dialects {
            for mark in dialect.marks.joined() where Self.isOwn(mark) && !payload[mark].exists {
                guard let key = keys.first(where: { isMeant($0, mark) }), !isMark(key) else { continue }
                return misspelling(key, of: mark, dialect.id)
            }
        }
        return nil
    }

    private func misspelling(_ key: String, of mark: String, _ dialect: DialectID) -> PayloadProblem {
        found(
            at: payload[key], "\(VisibleText.quoted(key)) is not read; did you mean \(mark) (\(dialect))?",
            fix: "Rename it to \(mark)")
    }

    /// The problem of a key that is a misspelling of an identifying key that many senders use. The problem is reported
    /// only if a dialect recognises the payload with the corrected key.
    private var misspeltGeneral: PayloadProblem? {
        var changes = 0
        for dialect in dialects {
            for marks in dialect.marks {
                let missing = marks.filter { !payload[$0].exists }
                guard missing.count == 1, let mark = missing.first, Self.general.contains(mark),
                    let key = keys.first(where: { NearestWord.isSlip($0, of: mark) })
                else { continue }
                changes += 1
                guard changes <= Self.maxOpened else { return nil }
                let place = JSONPath([.key(key)])
                let changed = JSONValue.object(object).replacing(place, with: object[key] ?? .null, as: mark)
                guard let layout = changed.object.map(PayloadLayout.init), dialect.recognises(layout) else { continue }
                return misspelling(key, of: mark, dialect.id)
            }
        }
        return nil
    }

    /// Returns whether only few senders use an identifying key.
    private static func isOwn(_ mark: String) -> Bool { mark.utf8.count > 2 && !general.contains(mark) }

    private func isMark(_ key: String) -> Bool { dialects.contains { $0.marks.joined().contains(key) } }

    /// The problem of missing identifying keys, for the dialect that lacks the fewest of the keys that it requires.
    private var incomplete: PayloadProblem? {
        let known = dialects.filter { $0.marks.joined().contains { Self.isOwn($0) && payload[$0].exists } }
        let near = known.flatMap { dialect in
            dialect.marks.map { marks in
                (dialect.id, missing: marks.filter { !payload[$0].exists }, count: marks.count)
            }
        }.filter { !$0.missing.isEmpty && $0.missing.count < $0.count }
        let nearest = near.min { ($0.missing.count, -$0.count) < ($1.missing.count, -$1.count) }
        guard let (dialect, missing, _) = nearest else { return nil }
        return problem(lacking: missing, of: dialect)
    }

    private func problem(lacking missing: [String], of dialect: DialectID) -> PayloadProblem {
        let keys = missing.joined(separator: " and ")
        return found(
            "the nearest dialect is \(dialect), but \(keys) \(missing.count == 1 ? "is" : "are") missing",
            fix: "Add \(keys), put the texts for iPhones into aps, or name the format with --dialect")
    }
}

extension Dialect {
    func recognises(_ payload: PayloadLayout) -> Bool {
        detect(payload) != nil || (self as? any LooseDialect)?.detectLoosely(payload) != nil
    }
}

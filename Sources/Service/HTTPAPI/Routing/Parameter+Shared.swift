import Authentication
import Base
import FoundationEssentials
import HTTPTypes
import NotificationModel

/// The parameters that routes of several features have.
extension Parameter where Value == RequestID {
    static var id: Self {
        Self("id", in: .path, "The id of the request.", .requestID) { text, _ throws(Problem) in
            guard let id = RequestID(text ?? "") else {
                throw Problem(
                    .badRequest,
                    "The id in the path must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot.")
            }
            return id
        }
    }
}

extension Parameter where Value == AppGroupName? {
    /// The app group, which must be one that the caller may use.
    static var group: Self {
        Self("group", in: .query, "The app group. The default is `group.default`.", .groupName) {
            text, arguments throws(Problem) in
            guard let group = try namedGroup.read(text, arguments) else { return nil }
            guard arguments.caller.groups.contains(group) else {
                throw Problem(
                    .forbidden, "The token does not permit the group \(group).", members: ["parameter": "group"])
            }
            return group
        }
    }

    /// The app group, whether or not the caller may use it.
    static var namedGroup: Self {
        Self("group", in: .query, "The app group.", .groupName) { text, _ throws(Problem) in
            guard let text else { return nil }
            guard let group = AppGroupName(text) else {
                throw .parameter(
                    "group", "must be 1 to 128 letters, digits, dots and dashes, not beginning with a dot.")
            }
            return group
        }
    }
}

extension Parameter where Value == String {
    static var groupInPath: Self { Self(path: "group", "The app group.", .groupName) }
}

extension Parameter where Value == Duration {
    static var wait: Self {
        Self(
            "wait", "The longest wait for the result, such as `2s` or `500ms`, at most an hour.",
            ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$", "default": "0s"], default: .zero,
            "must be a time of at most an hour, such as 2s or 500ms."
        ) { text in DurationText.parse(text).flatMap { $0 <= TimeBudget.longest ? $0 : nil } }
    }
}

extension Parameter where Value == Set<Outcome>? {
    static var outcome: Self {
        Self(
            "outcome", "Only emissions with one of these outcomes are sent, with commas between them.",
            .examples("fallback", "partial,fallback"), "must be one of \(Outcome.list), or several of them with commas."
        ) { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            let outcomes = names.compactMap { Outcome(rawValue: String($0)) }
            return outcomes.count == names.count ? Set(outcomes) : nil
        }
    }
}

extension Parameter where Value == String? {
    /// One of the names of a receiver.
    static var recipientFilter: Self {
        Self(
            "recipient", "Only events of requests to this receiver, by one of its names.", .receiverName,
            "must have 1 to \(ReceiverName.mostScalars) characters.", parse: ReceiverName.parse)
    }

    static var thread: Self { Self("thread", "Only notifications of this thread.") }

    static var expires: Self { Self("expires", "The end of a signed URL, in seconds since 1970.") }

    static var signature: Self { Self("signature", "The signature of a signed URL.") }
}

extension Parameter where Value == Date? {
    /// Creates a parameter of the query that is a time of RFC 3339.
    static func time(_ name: String, _ meaning: String) -> Self {
        Self(
            name, meaning, .examples("2026-11-27T08:00:00Z"), "must be a time such as 2026-11-27T08:00:00Z.",
            parse: { Timestamp.parse($0) })
    }

    static var from: Self { time("from", "Only notifications that were emitted at this time or later.") }
}

extension Parameter where Value == Int {
    /// The largest number of elements of a page.
    static var limit: Self {
        Self(
            "limit", "The largest number of elements of the page.", upTo: 200, default: ListQuery(group: .default).limit
        )
    }
}

extension Parameter where Value == Int? {
    static var cursor: Self {
        Self(
            "cursor", "The `next` of the page before.", .anyText, "must be the `next` of an earlier page.",
            parse: ListCursor.place)
    }
}

extension Parameter where Value == VersionCondition? {
    static var ifMatch: Self {
        Self(
            "If-Match", in: .header(.ifMatch), "The `ETag` of the version that is changed, or `*` for any.",
            .examples("\"17\"", "*"), "must be an ETag, such as \"17\", or *."
        ) { tags in
            if tags[...].trimmingBlanks == "*" { return .exists }
            let versions: [Int?] = tags.split(separator: ",").map { version($0.trimmingBlanks) }
            return versions.isEmpty || versions.contains(nil) ? nil : .hasVersion(versions.compactMap(\.self))
        }
    }

    /// Returns the version in a strong entity tag; `nil` for any other text.
    private static func version(_ tag: Substring) -> Int? {
        guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        let digits = tag.dropFirst().dropLast()
        return digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
    }
}

extension Parameter where Value == VersionCondition {
    static var ifNoneMatch: Self {
        Self(
            "If-None-Match", in: .header(.ifNoneMatch), "`*`: the name must be new.",
            ["type": "string", "enum": ["*"]], default: .none,
            "must be *. To change a version that was read, use If-Match."
        ) { tags in tags[...].trimmingBlanks == "*" ? VersionCondition.isMissing : nil }
    }
}

extension JSONValue {
    static var requestID: JSONValue { .pattern("^[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}$") }
    static var groupName: JSONValue { .pattern("^[A-Za-z0-9\\-][A-Za-z0-9.\\-]{0,127}$") }
    static var receiverName: JSONValue {
        ["type": "string", "minLength": 1, "maxLength": .number(ReceiverName.mostScalars)]
    }
}

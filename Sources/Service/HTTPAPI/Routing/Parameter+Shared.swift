import Authentication
package import Base
package import FoundationEssentials
import HTTPTypes
package import NotificationModel

/// The parameters that routes of several features have.
extension Parameter where Value == RequestID {
    package static var id: Parameter<RequestID> {
        Self("id", in: .path, "The id of the request.", .requestID) { text, _ throws(Problem) in
            guard let id = RequestID(text ?? "") else {
                throw Problem(
                    .badRequest,
                    "The id in the path must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot, nor ending with .sock, .sqlite or .lock."
                )
            }
            return id
        }
    }
}

extension Parameter where Value == AppGroupName? {
    /// The app group, which must be one that the caller may use.
    package static var group: Parameter<AppGroupName?> {
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
    package static var namedGroup: Self {
        Self("group", in: .query, "The app group.", .groupName) { text, _ throws(Problem) in
            guard let text else { return nil }
            guard let group = AppGroupName(text) else {
                throw .parameter(
                    "group",
                    "must be 1 to 128 letters, digits, dots and dashes, not beginning with a dot, nor ending with .sock, .sqlite or .lock."
                )
            }
            return group
        }
    }
}

extension Parameter where Value == String {
    package static var groupInPath: Parameter<String> { Self(path: "group", "The app group.", .groupName) }
}

extension Parameter where Value == Duration {
    package static var wait: Self {
        Self(
            "wait", "The longest wait for the result, such as `2s` or `500ms`, at most an hour.",
            ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$", "default": "0s"], default: .zero,
            "must be a time of at most an hour, such as 2s or 500ms."
        ) { text in DurationText.parse(text).flatMap { $0 <= TimeBudget.maximum ? $0 : nil } }
    }
}

extension Parameter where Value == Set<Outcome>? {
    package static var outcome: Self {
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
    /// One of the names of a recipient.
    package static var recipientFilter: Self {
        Self(
            "recipient", "Only events of requests to this receiver, by one of its names.", .recipientName,
            "must have 1 to \(RecipientName.maxScalars) characters.", parse: RecipientName.parse)
    }

    package static var thread: Self { Self("thread", "Only notifications of this thread.") }

    package static var expires: Parameter<String?> {
        Self("expires", "The end of a signed URL, in seconds since 1970.")
    }

    package static var signature: Parameter<String?> { Self("signature", "The signature of a signed URL.") }
}

extension Parameter where Value == Date? {
    /// Creates a parameter of the query that is a time of RFC 3339.
    package static func time(_ name: String, _ meaning: String) -> Parameter<Date?> {
        Self(
            name, meaning, .examples("2026-11-27T08:00:00Z"), "must be a time such as 2026-11-27T08:00:00Z.",
            parse: { Timestamp.parse($0) })
    }

    package static var from: Parameter<Date?> {
        time("from", "Only notifications that were emitted at this time or later.")
    }
}

extension Parameter where Value == Int {
    /// The largest number of elements of a page.
    package static var limit: Self {
        Self(
            "limit", "The largest number of elements of the page.", upTo: 200, default: ListQuery(group: .default).limit
        )
    }
}

extension Parameter where Value == Int? {
    package static var cursor: Self {
        Self(
            "cursor", "The `next` of the page before.", .anyText, "must be the `next` of an earlier page.",
            parse: ListCursor.place)
    }
}

extension Parameter where Value == VersionCondition? {
    package static var ifMatch: Self {
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
    package static var ifNoneMatch: Self {
        Self(
            "If-None-Match", in: .header(.ifNoneMatch), "`*`: the name must be new.",
            ["type": "string", "enum": ["*"]], default: .none,
            "must be *. To change a version that was read, use If-Match."
        ) { tags in tags[...].trimmingBlanks == "*" ? VersionCondition.isMissing : nil }
    }
}

extension JSONValue {
    package static var requestID: JSONValue { .pattern("^[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}$") }
    package static var groupName: JSONValue { .pattern("^[A-Za-z0-9\\-][A-Za-z0-9.\\-]{0,127}$") }
    package static var recipientName: JSONValue {
        ["type": "string", "minLength": 1, "maxLength": .number(RecipientName.maxScalars)]
    }
}

/// The text of a place in a list, which clients pass on without a change. It contains nothing secret: a client could ask
/// for the same place by the time of emission.
package enum ListCursor {
    private static let radix = 36

    package static func text(of place: Int) -> String { String(place, radix: radix) }

    /// Returns the place of a cursor; `nil` if the text is not a cursor.
    package static func place(in text: String) -> Int? {
        // A place is before the year 10,000, so that the places beside it are numbers too.
        Int(text, radix: radix).flatMap { abs($0) < 300_000_000_000_000_000 ? $0 : nil }
    }
}

package import Base

/// A mistake of the sender that a dialect found while it read a payload.
///
/// The result reports the mistake in `problem`, and `lint` reports it under the name of its rule. Both agree.
package struct PayloadProblem: Sendable, Equatable {
    /// The rule of `lint` that reports the problem.
    package var rule: String
    package var place: JSONPath
    /// One sentence without a full stop: the problem.
    package var text: String
    /// One sentence without a full stop, in the imperative: the remedy.
    package var fix: String

    package init(_ rule: String, _ node: JSONNode, _ text: String, fix: String) {
        self.rule = rule
        place = node.path
        self.text = text
        self.fix = fix
    }
}

extension [PayloadProblem] {
    /// The maximum number of problems that one result shows.
    private static let maxShown = 3
    /// The maximum number of characters of a pointer that are shown. A sender may choose keys of any length.
    private static let maxOfPlace = 96

    /// The problems in one line for people, each after its JSON pointer into the payload; `nil` if there are none.
    package var summary: String? {
        guard !isEmpty else { return nil }
        let shown = prefix(Self.maxShown).map { problem in
            let text = VisibleText.of(problem.text)
            let place = VisibleText.short(problem.place.description, most: Self.maxOfPlace)
            return problem.place == .root ? text : "\(place): \(text)"
        }
        return (shown + (count > shown.count ? ["\(count - shown.count) more"] : [])).joined(separator: "; ")
    }
}

/// The handling of a payload that no dialect recognises.
package enum UnknownPayloadPolicy: String, Sendable, CaseIterable {
    /// The payload passes through without changes. The result has a `problem`.
    case pass
    /// The request is refused like an unusable envelope.
    case reject
}

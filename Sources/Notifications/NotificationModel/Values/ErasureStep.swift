package import Base
import FoundationEssentials

/// The notifications and names that one step of an erasure removes from all stores.
package struct ErasureStep: Sendable {
    package let target: ErasureTarget
    /// The names of the recipient, if a recipient is erased; otherwise empty.
    package var recipientNames: [String] = []
    /// Some of the requests to remove.
    package var keys: Set<RequestKey> = []
    /// The rows of the lists to remove.
    package var listed: [ListedNotification] = []
    /// Whether texts that only mention the names are removed, too.
    package var includesMentions = false
    /// The reader of stored requests; `nil` if none of them can be read.
    package var reader: (any RequestNaming)?

    package init(_ target: ErasureTarget) { self.target = target }

    /// Whether no notification is left, so that stores remove what they do not find by the id of a request.
    package var isLast: Bool { keys.isEmpty && listed.isEmpty }

    /// The names that are searched; empty for a whole group.
    package var names: [String] {
        switch target.kind {
        case .recipient: recipientNames
        case .group: []
        case .id, .providerID, .thread: [target.name]
        }
    }

    /// Returns whether the step concerns a request.
    package func concerns(_ planned: any PlannedNotification) -> Bool {
        keys.contains(RequestKey(group: planned.request.appGroup, id: planned.request.id))
            || concerns(RequestNames(planned))
    }

    /// Returns whether the step concerns a request with these names.
    package func concerns(_ names: RequestNames) -> Bool {
        guard names.group == target.group else { return false }
        return switch target.kind {
        case .id: names.id == target.name
        case .providerID: names.providerID == target.name
        case .thread: names.thread == target.name
        case .recipient: !names.recipients.isDisjoint(with: recipientNames)
        case .group: true
        }
    }
}

/// The decision whether an erasure removes stored texts: files of the spool, lines of batches and envelopes.
///
/// A text that is a request is removed if its decoded names are those of the target. A text that is not a request, or a
/// request without a recipient whose payload no dialect recognises, is searched as bytes. A text of another group is never removed.
package struct ErasureMatcher: Sendable {
    package enum Match: Int, Sendable, Comparable {
        case none
        /// The text of a request has a name of the target, and the request is another one.
        case mentions
        case concerns

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    package let step: ErasureStep
    private let search: NameSearch

    package init(_ step: ErasureStep) {
        self.step = step
        search = NameSearch(step.names)
    }

    /// The number of bytes by which the parts of a long text overlap.
    package var overlap: Int { search.overlap }

    /// Returns the match of a text.
    ///
    /// - Parameter object: The text as a request; `nil` if it is no JSON object.
    /// - Parameter weakID: The id of a request that names none.
    /// - Parameter group: The group of a text that names none; `nil` for the default group.
    /// - Parameter permitted: The groups that the text may name. A text that names another one was refused.
    /// - Parameter isFirst: Whether the text is the beginning of a longer one that is read in parts.
    /// - Parameter isLast: Whether the text is the end of it.
    package func match(
        _ text: [UInt8], as object: JSONObject?, weakID: RequestID? = nil, in group: AppGroupName?,
        permitted: GroupPermission = .all, isFirst: Bool = true, isLast: Bool = true
    ) -> Match {
        var names: RequestNames?
        if let object {
            var submission = Submission(
                object: object, arrival: ClockReading(instant: .now, date: Date()), group: group, weakID: weakID)
            submission.permittedGroups = permitted
            // A line of a stored batch has an id that other submissions may not have.
            submission.isBatched = true
            names = try? step.reader?.names(of: submission)
        }
        let readable = names ?? object.map { RequestNames(unusable: $0, in: group ?? .default, permitted: permitted) }
        guard (readable?.group ?? group ?? .default) == step.target.group else { return .none }
        if step.target.kind == .group { return .concerns }
        if let readable, step.concerns(readable) { return .concerns }
        guard search.finds(inPart: text, isFirst: isFirst, isLast: isLast) else { return .none }
        return names?.isDecoded != true || step.includesMentions ? .concerns : .mentions
    }

    /// Returns the match of the result of a request of the target's group. The text may also be a message to a callback
    /// target, or the body of a request that has no result yet.
    package func match(result text: [UInt8]) -> Match {
        guard search.finds(in: text) else { return .none }
        if step.includesMentions { return .concerns }
        guard let object = try? JSONParser.value(of: text).object else { return .mentions }
        if object["dialect"] == nil, object["data"] == nil { return match(text, as: object, in: step.target.group) }
        let names = RequestNames(result: object["data"]?.object ?? object, in: step.target.group)
        return step.concerns(names) || !names.isDecoded ? .concerns : .mentions
    }
}

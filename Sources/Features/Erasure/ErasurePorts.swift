package import NotificationModel

/// The port to the records of erasures, and to the notifications that they concern.
package protocol ErasureStoring: Erasable {
    /// Makes the record of an erasure durable. An existing record with its id is replaced. The recipient of a new erasure
    /// that suppresses is refused from then on.
    ///
    /// - Returns: `false` if the record could not be written.
    func store(_ erasure: Erasure) async -> Bool

    /// Returns the record of an id; `nil` if no erasure has the id.
    func erasure(_ id: String) async -> Erasure?

    /// Returns the erasures that have not ended, the oldest first.
    func openErasures() async throws(MediaFailure) -> [Erasure]

    /// Returns a step with the next notifications of a target, at most 200. The step has none when all are removed.
    ///
    /// - Parameter names: The known names of the recipient, beside those that the stored recipient has.
    func nextStep(of target: ErasureTarget, names: [String]) async throws(MediaFailure) -> ErasureStep

    /// Searches the next requests of the target's group, after all are removed whose decoded names are those of the target.
    ///
    /// - Parameter place: The end of the part of the last call.
    /// - Returns: The requests to remove, and the number of those that only mention a name; `nil` at the end.
    func search(
        by matcher: ErasureMatcher, from place: inout ErasureSearchPlace
    ) async throws(MediaFailure) -> (step: ErasureStep, mentions: Int)?
}

/// The place up to which an erasure has searched the texts of a group.
package struct ErasureSearchPlace: Sendable {
    /// The number of the table.
    package var part = 0
    /// The number of the row.
    package var number = 0

    package init() {}
}

/// The port to the erasures, for HTTP.
package protocol ErasureIntake: Sendable {
    /// Stores an erasure, which is then carried out.
    ///
    /// - Parameter suppresses: Whether later requests to the recipient are refused.
    /// - Parameter includesMentions: Whether requests whose texts only mention the names are removed, too.
    /// - Returns: The stored erasure, or `nil` if it could not be stored.
    func erase(_ target: ErasureTarget, suppresses: Bool, includesMentions: Bool) async -> Erasure?

    func erasure(_ id: String) async -> Erasure?
}

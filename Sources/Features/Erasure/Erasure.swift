package import FoundationEssentials
package import NotificationModel

/// An erasure that is stored until its record is removed.
package struct Erasure: Sendable, Equatable {
    package enum State: String, Sendable {
        /// The data are being removed. A restarted daemon goes on.
        case running
        /// All data are removed, but another process reads a database, and the old pages stay until it ends.
        case waitingForReader = "waiting-for-reader"
        case done
    }

    /// The id, made by this program. It tells nothing about the target.
    package var id: String
    /// The target. Its name is empty when the data are removed, because the name is a part of them.
    package var target: ErasureTarget
    /// The names of the recipient that is erased, which its removal would lose; empty at the end, as the name of the target.
    package var recipientNames: [String] = []
    /// Whether the target had a name that is too short for ``NameSearch``.
    package var hasShortNames = false
    /// Whether later requests to the recipient are refused.
    package var suppresses = false
    /// Whether requests whose texts only mention the names are removed, too.
    package var includesMentions = false
    package var state = State.running
    package var counts = ErasureCounts()
    package var requestedAt: Date
    package var endedAt: Date?
}

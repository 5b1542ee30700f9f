package import Base
package import FoundationEssentials

/// The record of an accepted request in the journal, until its result is emitted.
package struct JournalEntry: Sendable, Equatable {
    package var key: RequestKey
    package var channel: RequestChannel
    /// The SHA-256 of the body. A request with the same id and another fingerprint is another request.
    package var fingerprint: [UInt8]
    /// The body as it was received, one JSON object.
    package var body: [UInt8]
    /// The template that the body completes; `nil` if the body is a whole request.
    package var template: SharedTemplate?
    package var receivedAt: Date
    package var deadline: Date
    /// The number of times that a daemon ended while it processed this request.
    package var attempts: Int
    /// The state of the recipients by which the request was planned; `nil` if it names no recipient.
    package var recipientMark: RecipientMark?

    package init(
        key: RequestKey, channel: RequestChannel, fingerprint: [UInt8], body: [UInt8], receivedAt: Date, deadline: Date,
        attempts: Int = 0
    ) {
        self.key = key
        self.channel = channel
        self.fingerprint = fingerprint
        self.body = body
        self.receivedAt = receivedAt
        self.deadline = deadline
        self.attempts = attempts
    }
}

package enum JournalAnswer: Sendable, Equatable {
    /// The request is durable.
    case accepted
    /// The id has a result already, or its outbox file still exists.
    ///
    /// - Parameter fingerprint: The fingerprint of the body that belongs to the result; `nil` if it is no longer known.
    case known(fingerprint: [UInt8]?)
    /// The recipient has changed since the request was planned, so the request must be planned again.
    case stale
    /// The journal could not store the request. The value is a sentence for people.
    case failed(String)
}

/// The durable record of accepted requests and emitted results. One transaction stores many requests and results.
package protocol RequestJournaling: Sendable {
    /// Makes an accepted request durable.
    ///
    /// - Parameter result: The result of the request, which the same transaction stores; `nil` if `publish` stores it
    ///   later. The parameter is `nil` for each request from the spool, because its result is published in the outbox.
    func accept(_ entry: JournalEntry, with result: EmittedContent?) async -> JournalAnswer

    /// Makes a result durable, and publishes it in the outbox if its request came from the spool. If the disk is full,
    /// the journal tries again until it is closed. After a restart, the next journal processes the request again.
    ///
    /// - Returns: A waiter that the journal resumes with `true` when the result is published. A caller that gives up the
    ///   wait resumes it with `false`.
    func publish(_ content: EmittedContent, from channel: RequestChannel) -> Waiter<Bool>

    /// Returns whether a recipient may have changed since its look-up. The call does not read the disk.
    func isStale(_ mark: RecipientMark) -> Bool

    /// Keeps the result of an unkeyed request like that of a keyed one, because its caller did not receive it all.
    func keepUndelivered(_ key: RequestKey)

    /// Whether the last transaction succeeded. After a failure the journal repeats a transaction until one succeeds.
    var isWritable: Bool { get }

    /// Returns the result of an id, while the journal keeps it.
    func content(of key: RequestKey) async -> EmittedContent?

    /// Completes the publications that an earlier daemon began and did not end.
    ///
    /// - Returns: The accepted requests that have no result, the oldest first. The attempt count of each returned
    ///   request has been increased by one.
    /// - Throws: A `MediaFailure` if the journal cannot be read.
    func recover() async throws(MediaFailure) -> [JournalEntry]
}

extension RequestJournaling {
    package func accept(_ entry: JournalEntry) async -> JournalAnswer { await accept(entry, with: nil) }

    package func isStale(_ mark: RecipientMark) -> Bool { false }
}

/// A text that the requests of a campaign share in the journal, so that it is stored once. The journal removes its file
/// when no request needs it and no part of the program refers to this object.
package final class SharedTemplate: Sendable, Equatable {
    /// The name of its file.
    package let name: String
    /// The line with the template.
    package let bytes: [UInt8]
    /// The SHA-256 of the line.
    package let digest: [UInt8]

    package init(name: String, bytes: [UInt8], digest: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.digest = digest
    }

    package static func == (one: SharedTemplate, other: SharedTemplate) -> Bool { one.digest == other.digest }
}

/// The port to the templates in the journal.
package protocol TemplateStoring: Sendable {
    /// Makes a template durable.
    ///
    /// - Returns: `nil` if the disk accepts no template now.
    func store(_ template: [UInt8]) async -> SharedTemplate?
}

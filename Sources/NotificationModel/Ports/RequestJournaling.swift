package import FoundationEssentials

/// What the journal keeps of an accepted request until it is emitted.
package struct JournalEntry: Sendable, Equatable {
    package var key: RequestKey
    package var origin: RequestOrigin
    /// SHA-256 of the body: the same id with another one is another request.
    package var fingerprint: [UInt8]
    /// As it came: one JSON object.
    package var body: [UInt8]
    package var receivedAt: Date
    package var deadline: Date
    /// How many times a daemon ended while it was at this request.
    package var attempts: Int

    package init(
        key: RequestKey, origin: RequestOrigin, fingerprint: [UInt8], body: [UInt8], receivedAt: Date, deadline: Date,
        attempts: Int = 0
    ) {
        self.key = key
        self.origin = origin
        self.fingerprint = fingerprint
        self.body = body
        self.receivedAt = receivedAt
        self.deadline = deadline
        self.attempts = attempts
    }
}

package enum JournalAnswer: Sendable, Equatable {
    /// It is durable.
    case accepted
    /// The id has a result already, or its outbox file is still there.
    ///
    /// - Parameter fingerprint: of the body that the result is of; `nil` where it is no longer known.
    case known(fingerprint: [UInt8]?)
    /// A sentence for people.
    case failed(String)
}

/// The durable memory of what was accepted and what was emitted: one transaction for many of each.
package protocol RequestJournaling: Sendable {
    /// Makes an accepted request durable.
    ///
    /// - Parameter result: the request's result, if it is known already: one transaction takes both. `nil`: `emit` brings
    ///   it later. Never given for a request from the spool, whose result is published in the outbox.
    func accept(_ entry: JournalEntry, with result: EmittedContent?) async -> JournalAnswer

    /// Makes a result durable and, where it came from the spool, publishes it in the outbox. A disk that is full is
    /// tried again, for as long as there is a journal; the next one has the request.
    ///
    /// - Parameter published: called once, on a thread of the journal's. Must not block.
    func emit(_ content: EmittedContent, from origin: RequestOrigin, published: @escaping @Sendable () -> Void)

    /// Keeps the result of an unkeyed request as long as that of a keyed one: its caller did not receive all of it.
    func keepUndelivered(_ key: RequestKey)

    /// Whether the last transaction succeeded. After a failure the journal tries one by itself until it does.
    var isWritable: Bool { get }

    /// The result of an id, for as long as results are kept.
    func content(of key: RequestKey) async -> EmittedContent?

    /// Finishes what an earlier daemon left half-published.
    ///
    /// - Returns: what was accepted and never emitted, oldest first; each counted as tried once more.
    /// - Throws: when the journal cannot be read.
    func recover() async throws(MediaFailure) -> [JournalEntry]
}

extension RequestJournaling {
    package func accept(_ entry: JournalEntry) async -> JournalAnswer { await accept(entry, with: nil) }
}

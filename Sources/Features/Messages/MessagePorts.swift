package import Base
package import FoundationEssentials
package import NotificationModel

/// A message that is to be stored under a name.
package struct NewMessage: Sendable {
    /// The envelope without its profile, one JSON object.
    package var envelope: [UInt8]
    package var profiles: [MediaProfile]
    package var expiresAt: Date
    /// The number of bytes of all named messages above which no message is stored.
    package var quota: Int
}

/// A change of one named message.
package struct MessageChange: Sendable {
    package enum Kind: Sendable {
        case put(NewMessage)
        /// The end of the preparation for a profile. It has no effect on another version.
        ///
        /// - Parameter content: The JSON of the result; empty if the preparation was refused.
        case prepare(version: Int, MediaProfile, NamedMessage.State, content: [UInt8])
        case remove
    }

    package var key: MessageKey
    package var kind: Kind
    package var condition: VersionCondition
    /// The date of the change. A message that ends before it does not exist.
    package var date: Date

    package init(_ kind: Kind, of key: MessageKey, if condition: VersionCondition = .none, at date: Date) {
        self.key = key
        self.kind = kind
        self.condition = condition
        self.date = date
    }
}

package enum MessageAnswer: Sendable, Equatable {
    /// The message is durable.
    case stored(NamedMessage, isNew: Bool)
    case removed
    case unknown
    /// The message does not meet the condition of the change.
    ///
    /// - Parameter version: The version of the message; `nil` if it does not exist.
    case otherVersion(Int?)
    case unusable(EnvelopeError)
    /// The message would end in the past, or after this time.
    case wrongExpiry(latest: Duration)
    /// The space for messages is in use. The value is a sentence for people.
    case full(String)
    case closing
    /// The store could not be read or written. The value is a sentence for people.
    case failed(String)
}

/// The port to the store of named messages.
package protocol MessageStoring: Sendable {
    /// Returns a message; `unknown` if it does not exist, or ends before a date.
    func find(_ key: MessageKey, at date: Date) async -> MessageAnswer

    /// Returns the envelope of a message; `nil` if this version does not exist any more, or cannot be read.
    func envelope(of message: NamedMessage) async -> [UInt8]?

    /// Returns the messages of a group that end after a date; `nil` if they cannot be read.
    func messages(in group: AppGroupName, at date: Date) async -> [NamedMessage]?

    /// Returns the content of a message; `nil` if it has no content, or if the content cannot be read.
    func content(of message: NamedMessage, for profile: MediaProfile) async -> EmittedContent?

    /// Returns the messages whose preparation has not ended; `nil` if they cannot be read.
    func unprepared(at date: Date) async -> [NamedMessage]?

    /// Makes a change durable. The change shares transactions with those of other callers.
    func apply(_ change: MessageChange) async -> MessageAnswer
}

/// The end of a message, as its sender chooses it.
package enum MessageExpiry: Sendable, Equatable {
    case after(Duration)
    case at(Date)
}

/// The port to the named messages, for HTTP.
package protocol MessageIntake: Sendable {
    /// Stores a message under a name, and prepares it. Returns when the message is durable.
    ///
    /// - Parameter submission: The payload or the envelope, with the group of the key and without an id.
    /// - Parameter profiles: The profiles; empty for the profile of the envelope or of the app group.
    /// - Parameter expiry: The end of the message; `nil` for the latest end.
    func put(
        _ submission: Submission, as key: MessageKey, for profiles: [MediaProfile], until expiry: MessageExpiry?,
        if condition: VersionCondition
    ) async -> MessageAnswer

    /// Returns a message; `unknown` if it does not exist, or if it has ended.
    func find(_ key: MessageKey) async -> MessageAnswer

    /// Returns the content of a message for a profile; `nil` if it has none.
    func content(of message: NamedMessage, for profile: MediaProfile) async -> EmittedContent?

    /// Returns the messages of a group; `nil` if they cannot be read.
    func messages(in group: AppGroupName) async -> [NamedMessage]?

    /// Returns the stored envelope of a message; `nil` if the message was replaced or cannot be read.
    func envelope(of message: NamedMessage) async -> [UInt8]?

    /// Returns the names of the recipient to whom an envelope is addressed; empty if it has none.
    func recipients(of envelope: JSONObject, in group: AppGroupName) -> Set<String>

    func remove(_ key: MessageKey, if condition: VersionCondition) async -> MessageAnswer

    /// Waits until the preparation of a message has ended, until an instant, or until the caller disconnects.
    func waitForPreparation(of key: MessageKey, until instant: MonotonicInstant, unless gone: AsyncEvent) async
}

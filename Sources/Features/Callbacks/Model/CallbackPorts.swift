package import FoundationEssentials
package import NotificationModel

/// The port to the messages to callback targets in the journal.
package protocol CallbackStoring: Sendable {
    /// Sets which targets get messages from now on; `nil` if none does. `added` is called with the names of targets that
    /// have got messages, after the transaction.
    func route(by routing: CallbackRouting?, _ added: @escaping @Sendable (Set<String>) -> Void)

    /// Returns the pending messages of a target that are due, the earliest first, and the time at which the next one is
    /// due. `nil` if the journal cannot be read.
    ///
    /// - Parameter afterStep: Whether the clock may have been set back. If so, the messages whose last attempt or whose
    ///   creation is later than the date are due too.
    func dueCallbacks(of target: String, at date: Date, afterStep: Bool, atMost count: Int) async -> DueCallbacks?

    /// Makes the effect of an attempt durable, with the record of its target, unless a later record is stored. The
    /// journal tries again until it is written.
    ///
    /// - Returns: `false` if the journal was closed first, or if the task was cancelled.
    func store(_ attempt: CallbackAttempt?, _ record: CallbackTargetRecord?) async -> Bool

    /// Makes a message pending again, with a new schedule.
    ///
    /// - Returns: `nil` if the journal cannot be written; `false` if it has no such message.
    func resendCallback(_ id: String, at date: Date) async -> Bool?

    /// Makes failed messages of a target pending again that were created since a date, at most 500 of them.
    ///
    /// - Parameter number: The messages with this number or a smaller one are left out.
    /// - Returns: The number of messages, and the largest number of a message; `nil` if the journal cannot be written.
    func recoverCallbacks(
        of target: String, since date: Date, after number: Int, at now: Date
    ) async -> (count: Int, last: Int)?

    func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>?

    /// Returns a message with its body. The outer `nil` means that the journal cannot be read.
    func callback(_ id: String) async -> Callback??

    func callbackTargets() async -> [CallbackTargetRecord]?

    /// Returns the numbers of pending messages, by target.
    func callbackBacklogs() async -> [String: CallbackBacklog]?

    /// The number of pending messages that were removed because of the quota, since the start.
    var droppedCallbacks: Int { get }
}

/// The messages that a target gets next.
package struct DueCallbacks: Sendable, Equatable {
    package var callbacks: [Callback]
    /// The time at which a further message is due; `nil` if no message is.
    package var next: Date?
    /// Whether messages are due only because the clock was set back, or may be.
    package var hasStepped = false
}

/// One HTTP request to a configured server.
package struct OutgoingCall: Sendable, Equatable {
    package var url: String
    package var method = "POST"
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    package var timeout: Duration
    /// Whether the caller needs the body of the answer, and not only its status.
    package var readsBody = false
    /// Whether a payload names the URL, so that the lists of hosts for media apply.
    package var isOfPayload = false

    package static func == (one: OutgoingCall, other: OutgoingCall) -> Bool {
        one.method == other.method && one.url == other.url && one.body == other.body && one.timeout == other.timeout
            && one.fields.map { "\($0.name): \($0.value)" } == other.fields.map { "\($0.name): \($0.value)" }
    }
}

package enum OutgoingAnswer: Sendable, Equatable {
    /// - Parameter retryAfter: The time that `Retry-After` names; `nil` if it is missing.
    case answered(status: Int, retryAfter: Duration?, body: [UInt8])
    /// No response came. The value is a sentence for people without the query of a URL.
    case failed(String)
}

/// The port to the network for calls to configured servers, and to URLs of payloads. Addresses are checked when a
/// connection is made, and no redirect is followed.
package protocol OutgoingCalling: Sendable {
    func send(_ call: OutgoingCall) async -> OutgoingAnswer
}

/// The port to callbacks, for HTTP.
package protocol CallbackIntake: Sendable {
    func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>?

    /// Returns a message with its body. The outer `nil` means that the journal cannot be read.
    func callback(_ id: String) async -> Callback??

    func targets() async -> [CallbackTargetReport]?

    /// Sends a message again. The result is `nil` if it was not stored, and `false` if there is no such message.
    func resend(_ id: String) async -> Bool?

    /// Enables a target, and sends its failed messages since a date again; `nil` for no failed message.
    func recover(_ target: String, since date: Date?) async -> CallbackRecovery

    /// Stops the messages to a target until it is recovered.
    func disable(_ target: String) async -> CallbackRecovery
}

package enum CallbackRecovery: Sendable, Equatable {
    /// The number of messages that are pending again.
    case done(Int)
    case unknownTarget
    case failed
}

/// The state of a configured target.
package struct CallbackTargetReport: Sendable, Equatable {
    package var record: CallbackTargetRecord
    /// The URL without its query.
    package var url: String
    package var backlog: CallbackBacklog
    /// The time until which the target cools down after failures; `nil` if it does not.
    package var coolsDownUntil: Date?
    /// The public keys of `v1a` signatures, as `whpk_…`.
    package var publicKeys: [String]
}

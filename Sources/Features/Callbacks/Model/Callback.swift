package import FoundationEssentials
package import NotificationModel

/// A message to a callback target about one notification. The journal keeps it until its retention ends.
package struct Callback: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// The message has a time of its next attempt.
        case pending
        /// The target has accepted the message.
        case delivered
        /// The last attempt of the schedule has failed.
        case failed
    }

    /// The place in the order of messages. A later message has a larger number.
    package var number: Int
    /// The `webhook-id`, which is the same for each attempt.
    package var id: String
    /// The name of the target.
    package var target: String
    package var key: RequestKey
    /// The type of the event, such as `notification.rich`.
    package var type: String
    /// Whether the message says that a recipient has opted out, or in again.
    package var isChoiceOfRecipient: Bool { type.hasPrefix("recipient.") }
    /// The URL that the request names in place of the target's own; `nil` for the URL of the target.
    package var url: String?
    /// The body; empty in lists.
    package var body: [UInt8] = []
    package var byteCount: Int = 0
    package var state: State = .pending
    /// The number of attempts that have ended.
    package var attempts: Int = 0
    package var createdAt: Date
    /// The time of the next attempt; `nil` unless the message is pending.
    package var dueAt: Date?
    package var attemptedAt: Date?
    /// The status of the last response; `nil` if the last attempt got none.
    package var status: Int?
    /// A sentence about the last failure; `nil` if no attempt has failed.
    package var problem: String?
}

/// The effect of one attempt on a message.
package struct CallbackAttempt: Sendable, Equatable {
    package var number: Int
    package var id: String
    package var target: String
    package var state: Callback.State
    /// The time of the next attempt; `nil` unless the message stays pending.
    package var dueAt: Date?
    package var at: Date
    package var status: Int?
    package var problem: String?

    package init(_ callback: Callback, _ state: Callback.State, at date: Date, dueAt: Date? = nil) {
        (number, id, target) = (callback.number, callback.id, callback.target)
        self.state = state
        at = date
        self.dueAt = dueAt
    }
}

/// The record of a target in the journal, which outlives a restart.
package struct CallbackTargetRecord: Sendable, Equatable {
    package var name: String
    /// The time since which there were only failures; `nil` after a success.
    package var failingSince: Date?
    /// The time of the last failure; `nil` after a success.
    package var failedAt: Date?
    /// The number of failures since the last success.
    package var failures = 0
    /// The time since which the target gets no messages; `nil` if it gets them.
    package var disabledAt: Date?
    /// A sentence about why the target is disabled.
    package var reason: String?
    /// The number of changes. A record never replaces one with a larger number, whatever the order of the writes.
    package var version = 0

    package init(name: String) { self.name = name }
}

/// The number of messages that a target still gets.
package struct CallbackBacklog: Sendable, Equatable {
    package var pending = 0
    /// The time at which the oldest pending message was created.
    package var oldest: Date?

    package init() {}
}

/// A question for a list of messages to targets, the newest first.
package struct CallbackQuery: Sendable, Equatable {
    package var target: String?
    package var state: Callback.State?
    /// The id of the request that the messages are about; `nil` for all requests.
    package var notification: RequestID?
    /// The app groups whose messages are listed; `nil` for all groups.
    package var groups: [AppGroupName]?
    /// The number of the last message of the page before; `nil` for the first page.
    package var before: Int?
    package var limit = 50

    package init() {}
}

/// The limits of the files that the containers of all groups store together.
package struct ContainerLimits: Sendable, Equatable {
    /// The maximum size of all media files together, in bytes.
    package var quota: Int
    /// The time for which a file is kept after a notification last showed it.
    package var retention: Duration
    /// The number of messages that the index of a group keeps. The oldest messages are deleted first. With their texts,
    /// this number of messages takes about 200 MB.
    package var messages = 200_000
    /// The limits of the groups that have their own.
    package var groups: [AppGroupName: OfGroup] = [:]

    /// The limits of the container of one group.
    package struct OfGroup: Sendable, Equatable {
        /// The maximum size of the media files of the group, in bytes; `nil` if only the size of all files is limited.
        package var quota: Int?
        package var retention: Duration

        package init(quota: Int?, retention: Duration) {
            self.quota = quota
            self.retention = retention
        }
    }

    /// Returns the limits of the container of a group.
    package subscript(group: AppGroupName) -> OfGroup {
        groups[group] ?? OfGroup(quota: nil, retention: retention)
    }

    /// Creates limits of 10 GiB and seven days by default.
    package init(quota: Int = 10 << 30, retention: Duration = .seconds(7 * 86_400)) {
        self.quota = quota
        self.retention = retention
    }
}

/// The limits of the HTTP response cache, for all processes that share the directory together.
package struct ResponseCacheLimits: Sendable, Equatable {
    /// The maximum number of bytes of bodies and headers together.
    package var quota: Int
    package var entries: Int
    /// The maximum size of one body, in bytes. A response with a larger body is not stored.
    package var largest: Int

    /// The freshness lifetime of a response that declares none, by default.
    package static let standardFreshness: Duration = .seconds(60)

    /// Creates limits of 1 GiB, 100,000 responses and 64 MiB for one body by default.
    package init(quota: Int = 1 << 30, entries: Int = 100_000, largest: Int = 64 << 20) {
        self.quota = quota
        self.entries = entries
        self.largest = largest
    }
}

/// The limits of the results that the journal keeps.
package struct ResultLimits: Sendable, Equatable {
    /// The retention of results of HTTP requests, and the time for which results in the outbox wait for a reader.
    package var retention: Duration
    /// The retention of results of unkeyed requests, after their waiting callers have received them.
    package var unkeyedRetention: Duration = .seconds(600)
    /// The maximum size of all results, in bytes. The oldest results are deleted first.
    package var quota = 1 << 30
    package var lists = ListLimits()
    package var callbacks = CallbackLimits()

    package init(retention: Duration = .seconds(7 * 86_400)) { self.retention = retention }
}

/// The limits of the messages to callback targets that the journal keeps.
package struct CallbackLimits: Sendable, Equatable {
    /// The time for which a message is kept after its end.
    package var retention: Duration = .seconds(7 * 86_400)
    /// The maximum size of all messages, in bytes. Ended messages are removed first, the oldest of them first.
    package var quota = 256 << 20

    package init() {}
}

/// The limits of the lists of emitted notifications, which outlive the results.
package struct ListLimits: Sendable, Equatable {
    package var retention: Duration = .seconds(30 * 86_400)
    /// The maximum number of listed notifications, of all app groups. The oldest ones are removed first. With 0, nothing
    /// is listed.
    package var most = 10_000_000

    package init() {}
}

package import Base

/// The port to the stored receivers, for the planning of requests.
package protocol ReceiverReading: Sendable {
    /// Looks a receiver up by one of its names. If no receiver is stored at all, the call returns at once.
    func receiver(_ name: ReceiverName) async -> ReceiverLookup
}

/// A change of one receiver.
package struct ReceiverChange: Sendable {
    package enum Kind: Sendable {
        case replace(ReceiverDocument)
        /// A merge patch of the document. A receiver that does not exist is created.
        case patch(JSONObject)
        case remove
    }

    package var name: ReceiverName
    package var kind: Kind
    package var condition: VersionCondition
    /// The size of the change, in bytes.
    package var byteCount: Int

    package init(name: ReceiverName, kind: Kind, condition: VersionCondition = .none, byteCount: Int = 0) {
        self.name = name
        self.kind = kind
        self.condition = condition
        self.byteCount = byteCount
    }
}

package enum ReceiverAnswer: Sendable, Equatable {
    /// The change is durable.
    case stored(Receiver, isNew: Bool)
    case removed
    case unknown
    /// The receiver does not meet the condition of the change.
    ///
    /// - Parameter version: The version of the receiver; `nil` if it does not exist.
    case otherVersion(Int?)
    /// Another receiver has one of the names.
    case nameInUse(String, owner: String)
    case unusable(ReceiverError)
    /// The store has the maximum number of receivers.
    case full(most: Int)
    /// The store could not be read or written. The value is a sentence for people.
    case failed(String)
}

/// The port to the store of receivers, for HTTP.
package protocol ReceiverStoring: ReceiverReading {
    /// Returns a receiver by one of its names; `unknown` if no receiver has the name.
    func find(_ name: ReceiverName) async -> ReceiverAnswer

    /// Makes changes durable, in their order. The changes share transactions with those of other callers.
    ///
    /// - Returns: One answer for each change.
    func apply(_ changes: [ReceiverChange]) async -> [ReceiverAnswer]

    /// Returns those names under which a push service no longer delivers.
    func deadNames(among names: [String], in group: AppGroupName) async -> Set<String>
}

/// The condition of a change: the version that the resource must have (RFC 9110 §13.1).
package enum VersionCondition: Sendable, Equatable {
    case none
    case exists
    case isMissing
    case hasVersion([Int])

    /// Returns whether a resource meets the condition.
    ///
    /// - Parameter version: The version of the resource; `nil` if it does not exist.
    package func isMet(by version: Int?) -> Bool {
        switch self {
        case .none: true
        case .exists: version != nil
        case .isMissing: version == nil
        case .hasVersion(let versions): version.map(versions.contains) ?? false
        }
    }
}

package import Base

/// The port to the stored recipients, for the planning of requests.
package protocol RecipientReading: Sendable {
    /// Looks a recipient up by one of its names. If no recipient is stored at all, the call returns at once.
    func recipient(_ name: RecipientName) async -> RecipientLookup
}

/// A change of one recipient.
package struct RecipientChange: Sendable {
    package enum Kind: Sendable {
        case replace(RecipientDocument)
        /// A merge patch of the document. A recipient that does not exist is created.
        case patch(JSONObject)
        case remove
    }

    package var name: RecipientName
    package var kind: Kind
    package var condition: VersionCondition
    /// The size of the change, in bytes.
    package var byteCount: Int

    package init(name: RecipientName, kind: Kind, condition: VersionCondition = .none, byteCount: Int = 0) {
        self.name = name
        self.kind = kind
        self.condition = condition
        self.byteCount = byteCount
    }
}

package enum RecipientAnswer: Sendable, Equatable {
    /// The change is durable.
    case stored(Recipient, isNew: Bool)
    case removed
    case unknown
    /// The recipient does not meet the condition of the change.
    ///
    /// - Parameter version: The version of the recipient; `nil` if it does not exist.
    case otherVersion(Int?)
    /// Another recipient has one of the names.
    case nameInUse(String, owner: String)
    case unusable(RecipientError)
    /// The store has the maximum number of recipients.
    case full(most: Int)
    /// The store could not be read or written. The value is a sentence for people.
    case failed(String)
}

/// The port to the store of recipients, for HTTP.
package protocol RecipientStoring: RecipientReading {
    /// Returns a recipient by one of its names; `unknown` if no recipient has the name.
    func find(_ name: RecipientName) async -> RecipientAnswer

    /// Makes changes durable, in their order. The changes share transactions with those of other callers.
    ///
    /// - Returns: One answer for each change.
    func apply(_ changes: [RecipientChange]) async -> [RecipientAnswer]

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

package import FoundationEssentials

/// The key of a named message: its name is unique in its app group.
package struct MessageKey: Sendable, Hashable {
    package var group: AppGroupName
    package var name: MessageName

    package init(group: AppGroupName, name: MessageName) {
        self.group = group
        self.name = name
    }
}

/// The name of a message: 1 to 256 bytes of UTF-8 in Unicode's normalization form C, without controls, line ends and marks
/// that change the direction of text. `.` and `..` are no names, because they are parts of paths.
package struct MessageName: Sendable, Hashable, CustomStringConvertible {
    /// The rule for names, for errors.
    package static let rule = "1 to 256 bytes without control characters, other than . and .."

    private static let maxBytes = 256

    package let description: String

    /// Parses a name; `nil` if the text is no name.
    package init?(_ text: String) {
        guard let name = RecipientName.parse(text), name.utf8.count <= Self.maxBytes, name != ".", name != ".." else {
            return nil
        }
        description = name
    }
}

/// A message that is stored under a name, and that is prepared for profiles before an app asks for it.
package struct NamedMessage: Sendable, Equatable {
    /// The preparation of a message for one profile.
    package struct Preparation: Sendable, Equatable {
        package var profile: MediaProfile
        package var state: State

        package init(profile: MediaProfile, state: State) {
            self.profile = profile
            self.state = state
        }
    }

    package enum State: Sendable, Equatable {
        case preparing
        /// The content is stored.
        case prepared(Outcome, DegradationReason?)
        /// No content could be made. The value is a sentence for people.
        case refused(String)

        package var isPreparing: Bool { self == .preparing }

        /// Whether the message cannot be shown as its sender meant it. It may still have a content with a text.
        package var hasFailed: Bool {
            switch self {
            case .preparing: false
            case .prepared(let outcome, _): [.fallback, .expired, .cancelled, .rejected].contains(outcome)
            case .refused: true
            }
        }
    }

    package var key: MessageKey
    /// The number of the change that stored the message. It is never used twice in a journal.
    package var version: Int
    package var updatedAt: Date
    /// The date at which the message ends, and from which its files are not held any more.
    package var expiresAt: Date
    /// The size of the envelope, in bytes.
    package var byteCount: Int
    /// The profiles in the order of the call that stored the message. There is at least one.
    package var preparations: [Preparation]

    package init(
        key: MessageKey, version: Int, updatedAt: Date, expiresAt: Date, byteCount: Int, preparations: [Preparation]
    ) {
        self.key = key
        self.version = version
        self.updatedAt = updatedAt
        self.expiresAt = expiresAt
        self.byteCount = byteCount
        self.preparations = preparations
    }

    package var isPreparing: Bool { preparations.contains(where: \.state.isPreparing) }

    /// Returns the state for a profile; `nil` if the message is not prepared for it.
    package func state(for profile: MediaProfile) -> State? {
        preparations.first { $0.profile == profile }?.state
    }

    /// Returns the key of the request that prepares the message for a profile. Each version has keys of its own, so the
    /// request is accepted once, even if the daemon ends in the meantime.
    package func requestKey(for profile: MediaProfile) -> RequestKey? {
        RequestID("message-\(version)-\(profile.name)").map { RequestKey(group: key.group, id: $0) }
    }
}

extension RequestID {
    /// Whether the id is one that a stored batch gives to a line without an id: `batch-`, 16 hexadecimal digits, and the
    /// number of the line.
    package var isOfBatchLine: Bool {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "batch", parts[1].utf8.count == 16, !parts[2].isEmpty else { return false }
        return parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            && parts[2].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether the id is one of a request that prepares a named message, and not of a push.
    package var isOfPreparation: Bool {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "message", !parts[1].isEmpty else { return false }
        return parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
            && MediaProfile.all.contains { $0.name == parts[2] }
    }
}

/// The end of a preparation, as events report it.
package struct PreparedMessage: Sendable, Equatable {
    package var name: MessageName
    package var version: Int
    /// The name of the profile.
    package var profile: String
    /// The state, which is not `preparing`.
    package var state: NamedMessage.State

    package init(_ message: NamedMessage, for profile: MediaProfile, state: NamedMessage.State) {
        name = message.key.name
        version = message.version
        self.profile = profile.name
        self.state = state
    }
}

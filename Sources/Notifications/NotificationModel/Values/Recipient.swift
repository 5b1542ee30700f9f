package import FoundationEssentials
@_spi(_Unicode) import Swift

/// A name of a recipient in an app group: a user id, a device token, an e-mail address, or any other text.
package struct RecipientName: Sendable, Hashable {
    /// The maximum length of a name, in Unicode scalars.
    package static let maxScalars = 256

    package let group: AppGroupName
    package let name: String

    package init(group: AppGroupName, name: String) {
        self.group = group
        self.name = Self.normal(name)
    }

    /// Returns a name of a recipient in its normal form; `nil` if the text cannot be such a name.
    package static func parse(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        guard (1...maxScalars).contains(scalars.count), !scalars.contains(where: isRefused) else { return nil }
        return normal(text)
    }

    /// Returns a text in Unicode's normalization form C. Strings with the same form are equal for Swift, and SQLite
    /// compares their bytes.
    private static func normal(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfc { scalars.append(scalar) }
        return String(scalars)
    }

    /// Returns whether a scalar is a control, or stands for bytes that were no text.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool { isControl(scalar) || scalar == "\u{FFFD}" }

    /// Returns whether a scalar is a control character of ASCII or of ISO 6429, or a separator of lines or paragraphs.
    /// The result is also true for marks that change the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        // Most names are ASCII, whose properties need no look-up.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            || scalar.properties.isBidiControl
    }
}

/// The state of the stored recipients at a look-up of one name. A later change of the recipient makes the mark stale.
package struct RecipientMark: Sendable, Equatable {
    package let name: RecipientName
    /// The number of the last change before the look-up; 0 if the recipients could not be read. Such a mark is stale at
    /// once.
    package let revision: UInt64

    package init(name: RecipientName, revision: UInt64) {
        self.name = name
        self.revision = revision
    }
}

/// The answer to the look-up of a recipient.
package struct RecipientLookup: Sendable, Equatable {
    /// The settings of a stored recipient, and their version.
    package struct Stored: Sendable, Equatable {
        package let settings: PermissionSettings
        package let version: Int
        /// Whether the recipient was erased, and no request may name it any more.
        package var isErased = false

        package init(settings: PermissionSettings, version: Int) {
            self.settings = settings
            self.version = version
        }
    }

    package let mark: RecipientMark
    /// `nil` if no recipient has the name.
    package let stored: Stored?

    package init(mark: RecipientMark, stored: Stored?) {
        self.mark = mark
        self.stored = stored
    }

    package var isReadable: Bool { mark.revision > 0 }
}

/// The settings, the names and the labels of a recipient, as its owner writes them.
package struct RecipientDocument: Sendable, Equatable {
    /// A name under which a push service no longer delivers, such as the token of a deleted app.
    package struct DeadName: Sendable, Equatable {
        package var name: String
        package var since: Date
        /// The name that replaces the dead one; `nil` if no name does.
        package var replacement: String?

        package init(name: String, since: Date, replacement: String?) {
            self.name = name
            self.since = since
            self.replacement = replacement
        }
    }

    /// The maximum number of names of a recipient, with its id. At most this number of dead names is kept as well.
    package static let maxNames = 16
    package static let maxLabels = 32
    /// The maximum length of a label, in Unicode scalars.
    package static let maxLabelScalars = 128

    package var settings = PermissionSettings()
    /// The names of the recipient other than its id.
    package var names: [String] = []
    package var labels: [String] = []
    /// The dead names, the oldest first. Settings apply to a dead name as well.
    package var dead: [DeadName] = []

    package init() {}
}

/// A recipient as the store has it: its names and settings, and the version of both.
package struct Recipient: Sendable, Equatable {
    /// The name under which the recipient was created.
    package var id: RecipientName
    package var document: RecipientDocument
    /// The number of the change that made this version. Numbers grow over all recipients, and none is used twice.
    package var version: Int
    package var updatedAt: Date
    /// The digest of the group and the id, which events and logs have in place of the name.
    package var hash: String

    package init(id: RecipientName, document: RecipientDocument, version: Int, updatedAt: Date, hash: String) {
        self.id = id
        self.document = document
        self.version = version
        self.updatedAt = updatedAt
        self.hash = hash
    }

    /// Whether the recipient permits the service. A recipient whose settings do not state it has not opted out.
    package var permitsService: Bool { document.settings[.service] ?? true }

    /// All texts under which the recipient is found.
    package var allNames: Set<String> {
        Set([id.name] + document.names + document.dead.map(\.name))
    }
}

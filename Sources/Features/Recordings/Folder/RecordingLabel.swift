import Base
import Digests
package import NotificationModel

/// The names by which an erasure finds a recording.
package struct RecordingNames: Sendable, Equatable {
    package var id: String
    package var providerID: String?
    package var thread: String?
    package var recipients: [String] = []

    package init(_ planned: any PlannedNotification) {
        let request = planned.request
        id = request.id.description
        providerID = planned.providerID
        thread = planned.thread
        recipients = [request.recipient, request.recipientLookup?.mark.name.name].compactMap(\.self)
    }

    package init(id: String, providerID: String? = nil, thread: String? = nil, recipients: [String] = []) {
        self.id = id
        self.providerID = providerID
        self.thread = thread
        self.recipients = recipients
    }
}

/// The first line of a recording: its version, the digests of the names by which erasures find it, and the names of its
/// files. It is a comment for YAML.
struct RecordingLabel: Sendable, Equatable {
    static let version = 1
    private static let mark = "# appgroupd recording "
    /// The maximum size of the line, in bytes.
    static let maxLength = 1 << 16

    var group: String
    /// The digests of the names.
    private(set) var id: String
    private(set) var providerID: String?
    private(set) var thread: String?
    private(set) var recipients: [String]
    var files: [String]

    init(group: String, names: RecordingNames, files: [String]) {
        self.group = group
        self.files = files
        id = Self.digest(of: names.id, in: group)
        providerID = names.providerID.map { Self.digest(of: $0, in: group) }
        thread = names.thread.map { Self.digest(of: $0, in: group) }
        recipients = names.recipients.map { Self.digest(of: $0, in: group) }
    }

    /// Returns the name of the recording of a request, without its extension.
    static func digest(of name: String, in group: String) -> String { RecipientHash.text(of: name, in: group) }

    /// The line without its end.
    var line: String {
        let object: JSONValue = [
            "version": .number(Self.version), "group": .string(group), "id": .string(id),
            "providerId": .text(providerID), "thread": .text(thread),
            "recipients": .array(recipients.map { .string($0) }), "files": .array(files.map { .string($0) }),
        ]
        return Self.mark + JSONWriter.text(of: object)
    }

    /// Parses the first line of a file; `nil` if it is not that of a recording of this version.
    init?(_ line: some StringProtocol) {
        guard line.hasPrefix(Self.mark), let value = try? JSONParser.value(of: String(line.dropFirst(Self.mark.count))),
            value["version"]?.integer == Self.version, let group = value["group"]?.string,
            let id = value["id"]?.string, let files = value["files"]?.array
        else { return nil }
        self.group = group
        self.id = id
        providerID = value["providerId"]?.string
        thread = value["thread"]?.string
        recipients = value["recipients"]?.array?.compactMap(\.string) ?? []
        self.files = files.compactMap(\.string)
    }
}

/// The digests of the names that an erasure concerns. They are computed once for all recordings.
struct ErasedDigests {
    private let group: String
    private let kind: ErasureTarget.Kind
    private let ids: Set<String>
    private let name: String
    private let recipients: Set<String>

    init(_ step: ErasureStep) {
        let group = step.target.group.description
        func digests(_ names: some Sequence<String>) -> Set<String> {
            Set(names.map { RecordingLabel.digest(of: $0, in: group) })
        }
        self.group = group
        kind = step.target.kind
        ids = digests(step.keys.map(\.id.description))
        name = RecordingLabel.digest(of: step.target.name, in: group)
        recipients = kind == .recipient ? digests(step.recipientNames) : []
    }

    /// Returns whether the erasure concerns a recording.
    func concern(_ label: RecordingLabel) -> Bool {
        guard label.group == group else { return false }
        if ids.contains(label.id) { return true }
        return switch kind {
        case .id: label.id == name
        case .providerID: label.providerID == name
        case .thread: label.thread == name
        case .recipient: !recipients.isDisjoint(with: label.recipients)
        case .group: true
        }
    }
}

package import Base
import FoundationEssentials

extension AppGroupName {
    /// Reads the group that an envelope names; `nil` if it names none.
    package init?(named object: JSONObject) {
        guard let name = object["appGroup"]?.string else { return nil }
        self.init(name)
    }
}

/// The names of a request by which erasures find it.
package struct RequestNames: Sendable {
    package var group: AppGroupName
    package var id: String?
    /// The recipient of the envelope, or the token of the payload, and the stored recipient's name.
    package var recipients: Set<String> = []
    package var thread: String?
    package var providerID: String?
    /// Whether a dialect recognises the payload, so that its names are decoded.
    package var isRecognized = true

    package init(group: AppGroupName) { self.group = group }

    /// Whether the request shows whom it concerns.
    var isDecoded: Bool { isRecognized || !recipients.isEmpty }

    package init(_ planned: any PlannedNotification) {
        let request = planned.request
        group = request.appGroup
        id = request.id.description
        recipients = request.recipientNames
        (thread, providerID) = (planned.thread, planned.providerID)
    }

    /// Reads the names of a result, or of the data of a message to a callback target.
    init(result object: JSONObject, in group: AppGroupName) {
        self.group = group
        (id, providerID) = (object["id"]?.string, object["providerId"]?.string)
        recipients = Set([object["recipient"]?.string].compactMap(\.self))
        thread = (object["content"]?["threadIdentifier"] ?? object["thread"])?.string
        isRecognized = (object["dialect"] ?? object["provider"]) != .null
    }

    /// Reads the names of an object that is not a request.
    ///
    /// - Parameter group: The group of an object that names none.
    init(unusable object: JSONObject, in group: AppGroupName, permitted: GroupPermission) {
        let named = AppGroupName(named: object)
        self.group = named.flatMap { permitted.contains($0) ? $0 : nil } ?? group
        id = object["id"]?.string
        recipients = Set([object["recipient"]?.string].compactMap(\.self))
    }
}

extension NotificationRequest {
    /// The names of the recipient: the recipient of the envelope or the token of the payload, and the stored recipient's name.
    package var recipientNames: Set<String> { Set([recipient, recipientLookup?.mark.name.name].compactMap(\.self)) }
}

/// The port that reads the names of stored requests. Nothing is fetched or stored.
package protocol RequestNaming: Sendable {
    /// - Throws: The error of an unusable envelope.
    func names(of submission: Submission) throws(EnvelopeError) -> RequestNames
}

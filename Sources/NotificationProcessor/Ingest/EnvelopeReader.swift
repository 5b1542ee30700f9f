import Base
import FoundationEssentials
package import NotificationModel

/// The reader that distinguishes envelopes from bare payloads, and makes requests of both.
///
/// An envelope is an object that contains an object `payload`. All its other keys are in `EnvelopeKeys`. Its values
/// take precedence over the defaults. A wrong value makes the envelope unusable, because the request must not run with
/// only some of its values. Any other key also makes the envelope unusable, unless a dialect recognises the whole
/// object. In that case the object is a bare payload.
package struct EnvelopeReader: Sendable {
    private let defaults: RequestDefaults
    private let dialects: DialectTable

    package init(defaults: RequestDefaults, dialects: DialectTable) {
        self.defaults = defaults
        self.dialects = dialects
    }

    /// Reads the payload or the envelope of a submission.
    ///
    /// - Returns: A request in all cases, because an unusable envelope has a result as well. The error is `nil` for a
    ///   usable envelope.
    package func request(from submission: Submission) -> (request: NotificationRequest, error: EnvelopeError?) {
        let object = submission.object
        let isEnvelope = EnvelopeKeys.isEnvelope(object)
        let envelope = isEnvelope ? object : JSONObject()
        let payload = isEnvelope ? object["payload"]?.object ?? object : object
        let (instant, date) = (submission.arrival.instant, submission.arrival.date)
        var request = NotificationRequest(
            id: submission.id ?? submission.weakID
                ?? .new(millisecondsSince1970: UInt64(max(0, date.timeIntervalSince1970 * 1_000))),
            appGroup: submission.group ?? defaults.appGroup, profile: defaults.profile,
            budget: TimeBudget(received: instant, length: submission.budget ?? defaults.budget), receivedAt: date,
            payload: payload)
        request.isKeyed = submission.id != nil || submission.weakID != nil
        request.isInEnvelope = isEnvelope
        request.trace = submission.trace
        request.dialect = defaults.dialect
        var layers = PermissionLayers()
        layers.daemon = defaults.permissions
        layers.daemonLocale = defaults.locale
        layers.group = defaults.groupPermissions
        request.apply(layers)
        request.network = defaults.network
        do throws(EnvelopeError) {
            if !isEnvelope { try checkPayload(object) }
            let fields = EnvelopeFields(envelope)
            try applyNames(fields, to: &request, submission)
            try checkPermission(of: submission, for: request.appGroup)
            try applyTime(fields, to: &request, submission)
            request.budget.maxReserve = defaults.maxReserve
            try apply(fields, to: &request)
            try checkRecognition(of: request)
            return (request, nil)
        } catch {
            return (request, error)
        }
    }

    private func checkPermission(of submission: Submission, for group: AppGroupName) throws(EnvelopeError) {
        guard !submission.permittedGroups.contains(group) else { return }
        var error = EnvelopeError(key: "appGroup", problem: "\(group) is not a group that the token permits")
        error.isForbidden = true
        throw error
    }

    /// Refuses an object that was meant as an envelope, but has keys that no envelope has.
    ///
    /// The object is a bare payload if a dialect recognises it, or if the caller names a dialect.
    private func checkPayload(_ object: JSONObject) throws(EnvelopeError) {
        guard defaults.dialect == nil, EnvelopeKeys.isMeantAsEnvelope(object, by: dialects),
            !dialects.recognises(object)
        else { return }
        let unknownKeys = EnvelopeKeys.unknownKeys(in: object)
        guard let unknownKey = unknownKeys.first(where: { $0.guess != nil }) ?? unknownKeys.first else { return }
        throw EnvelopeError(
            key: VisibleText.short(unknownKey.key, most: 64),
            problem: "is not a key of an envelope"
                + (unknownKey.guess.map { ": did you mean \($0)?" } ?? ": put it into payload, or remove it"))
    }

    /// Refuses a payload that no dialect recognises, if the configuration requires the refusal.
    private func checkRecognition(of request: NotificationRequest) throws(EnvelopeError) {
        guard defaults.unknownPayloads == .reject, request.dialect == nil,
            let problem = dialects.problem(ofUnknown: request.payload)
        else { return }
        throw EnvelopeError(key: "payload", problem: [problem].summary ?? problem.text)
    }

    /// Applies the ID and the group. If both the envelope and the submission have an ID or a group, the two must be
    /// equal. Otherwise one of them would be lost silently.
    private func applyNames(
        _ fields: EnvelopeFields, to request: inout NotificationRequest, _ submission: Submission
    ) throws(EnvelopeError) {
        if let id = try fields.string("id", "letters, digits and ._-:@+=, at most 128 bytes", RequestID.init) {
            guard submission.id == nil || submission.id == id else {
                throw EnvelopeError(key: "id", problem: "\(id) is not \(request.id), the id outside of the envelope")
            }
            request.id = id
            request.isKeyed = true
        }
        // The result of the other request would be taken for the content of the message.
        guard submission.isPreparation || !request.id.isOfPreparation else {
            throw EnvelopeError(
                key: "id", problem: "\(request.id) has the form of an id that prepares a named message: choose another")
        }
        let isOwnLine = submission.isBatched && submission.weakID == request.id
        guard isOwnLine || !request.id.isOfBatchLine else {
            throw EnvelopeError(
                key: "id", problem: "\(request.id) has the form of an id of a line of a stored batch: choose another")
        }
        if let group = try fields.string(
            "appGroup", "letters, digits, dots and dashes, at most 128, not ending like a file of the daemon",
            AppGroupName.init)
        {
            guard submission.group == nil || submission.group == group else {
                throw EnvelopeError(
                    key: "appGroup", problem: "\(group) is not \(request.appGroup), the group in which it was handed in"
                )
            }
            request.appGroup = group
        }
    }

    private func apply(_ fields: EnvelopeFields, to request: inout NotificationRequest) throws(EnvelopeError) {
        let profile = try fields.string(
            "profile", "one of: \(MediaProfile.all.map(\.name).joined(separator: ", "))", MediaProfile.named)
        if let profile { request.profile = profile }
        let dialect = try fields.string(
            "dialect", "one of: \(dialects.identifiers.map(\.description).joined(separator: ", "))",
            { name in dialects.identifiers.first { $0.description == name } })
        if let dialect { request.dialect = dialect }
        request.onExpiry = try fields.choice("onExpiry", ExpiryPolicy.self)
        if let network = try fields.choice("network", NetworkKind.self) { request.network = network }
        request.apply(try layers(fields, over: request.layers))
        request.keysWithoutEffect = EnvelopeKeys.withoutEffect.filter(fields.has)
        request.recipient = try fields.string(
            "recipient", "1 to 256 characters without controls and line ends", RecipientName.parse)
        request.labels = try fields.labels("labels")
        let traceParent = try fields.string(
            "traceparent", "00-, 32 hexadecimal digits, -, 16 digits, - and 2 digits (W3C Trace Context)",
            TraceParent.init)
        if let traceParent { request.trace.parent = traceParent }
        request.headers = try fields.object("headers") ?? JSONObject()
        request.fallback = try fields.texts("fallback")
        if let priority = try fields.integer("priority") {
            guard [10, 5, 1].contains(priority) else {
                throw EnvelopeError(key: "priority", problem: "\(priority) is not one of: 10, 5, 1")
            }
            request.priority = priority
        } else if let priority = JSONNode(request.headers)["apns-priority"].looseInteger, [10, 5, 1].contains(priority)
        {
            request.priority = priority
        }
        request.callback = try Self.callbackURL(fields)
        request.reportsDelivery = try fields.bool("receipts") ?? false
    }

    /// Returns the URL for the result in the form in which it is requested.
    private static func callbackURL(_ fields: EnvelopeFields) throws(EnvelopeError) -> String? {
        var problem: WebURLError?
        let url = try fields.string("callback", "an https or http URL") { text in
            do throws(WebURLError) {
                let url = try WebURL(text)
                return ["https", "http"].contains(url.scheme) ? url.text : nil
            } catch {
                guard error != .notAbsolute else { return nil }
                // The text may have a password, so no message has it.
                problem = error
                return ""
            }
        }
        if let problem { throw EnvelopeError(key: "callback", problem: "\(problem)") }
        return url
    }

    private func applyTime(
        _ fields: EnvelopeFields, to request: inout NotificationRequest, _ submission: Submission
    ) throws(EnvelopeError) {
        if submission.budget != nil, let key = ["budget", "deadline"].first(where: fields.has) {
            throw EnvelopeError(key: key, problem: "conflicts with Request-Timeout: leave one of them out")
        }
        let (instant, date) = (submission.arrival.instant, submission.arrival.date)
        if let length = try fields.string(
            "budget", "a duration from 0s to 1h, such as \"500ms\", \"5s\" or \"2m\"", TimeBudget.parseLength)
        {
            request.budget = TimeBudget(received: instant, length: length)
        }
        if let deadline = try fields.string(
            "deadline", "a time, such as 2026-01-31T12:00:00Z (RFC 3339)", Timestamp.parse)
        {
            guard !fields.has("budget") else {
                throw EnvelopeError(key: "deadline", problem: "conflicts with budget: leave one of them out")
            }
            let left = deadline.timeIntervalSince(date)
            guard left <= TimeBudget.maximum.seconds else {
                throw EnvelopeError(key: "deadline", problem: "is more than an hour away")
            }
            request.budget = TimeBudget(received: instant, length: .seconds(max(left, 0)))
        }
    }

    /// Returns the layers with the settings of the envelope.
    private func layers(
        _ fields: EnvelopeFields, over layers: PermissionLayers
    ) throws(EnvelopeError) -> PermissionLayers {
        var layers = layers
        layers.isCritical = try fields.bool("critical") ?? false
        layers.envelope.locale = try fields.string("locale", "a language tag, such as de-AT", LanguageTag.init)?
            .description
        guard let permissions = try fields.object("permissions") else { return layers }
        for member in permissions.members {
            if member.key == "unknownNetwork" {
                guard let network = member.value.string.flatMap(NetworkKind.init) else {
                    throw EnvelopeError(
                        key: "permissions.unknownNetwork",
                        problem: "is neither \(NetworkKind.allCases.map(\.rawValue).joined(separator: " nor "))")
                }
                layers.daemon.unknownNetwork = network
                continue
            }
            guard let allowed = member.value.bool else {
                throw EnvelopeError(
                    key: "permissions.\(member.key)", problem: "is \(member.value.typeName), not true or false")
            }
            guard let permission = Permission(rawValue: member.key) else {
                throw EnvelopeError(
                    key: "permissions.\(member.key)",
                    problem: "is not a permission: write \(Permissions.names.joined(separator: ", ")) or unknownNetwork"
                )
            }
            layers.envelope[permission] = allowed
        }
        return layers
    }
}

extension Permissions {
    /// The names of the permissions in an envelope and on the command line.
    package static let names = Permission.allCases.map(\.rawValue)

    /// Sets a permission by its name.
    ///
    /// - Returns: Whether there is such a permission.
    package mutating func set(_ name: String, _ value: Bool) -> Bool {
        guard let permission = Permission(rawValue: name) else { return false }
        self[permission] = value
        return true
    }
}

extension TimeBudget {
    /// Returns the length of a budget from a text such as `5s`. Returns `nil` if the text is not a duration, or if the
    /// duration is longer than the longest budget.
    package static func parseLength(_ text: String) -> Duration? {
        DurationText.parse(text).flatMap { $0 <= maximum ? $0 : nil }
    }
}

package import Base
package import NotificationModel

/// A provider's payload format: the rule that recognises it, and the paths of its media and texts.
///
/// A dialect reads and never throws. A value of an unexpected type is treated as missing. A dialect does no I/O.
package protocol Dialect: Sendable {
    var id: DialectID { get }

    /// The keys at the top of a payload that identify its provider. Each element has keys that a payload needs
    /// together. The error about a payload that no dialect recognises names these keys.
    var marks: [[String]] { get }

    /// Returns the rule that recognises the payload as a payload of this provider; `nil` if no rule recognises it.
    func detect(_ payload: PayloadLayout) -> String?

    /// Whether the rule of `detect` recognises a format that is not specific to a provider, such as `aps` alone.
    var isOfAnySender: Bool { get }

    /// Converts the payload to a `PushPayload`, which does not depend on the sender.
    func read(_ payload: JSONNode) -> PushPayload

    /// Reads the payload, with the dialect's own texts in the first of these languages for which the dialect has texts.
    func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload
}

extension Dialect {
    package var isOfAnySender: Bool { false }

    package func detect(_ payload: JSONObject) -> String? { detect(PayloadLayout(payload)) }

    package func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload { read(payload) }

    func reading(_ payload: JSONNode, detectedBy rule: String, in languages: [LanguageTag]) -> PushPayload {
        var reading = read(payload, in: languages)
        reading.leaveOut(behind: PushPayload.maxMedia)
        reading.dialect = id
        reading.detectedBy = rule
        // Apple's badge is a number from 0, where 0 removes the badge. Phones ignore a negative number.
        reading.aps.badge = reading.aps.badge.flatMap { $0 < 0 ? nil : $0 }
        reading.actions = reading.actions.prefix(PushPayload.maxActions).map {
            NotificationAction(identifier: $0.identifier, title: $0.title.inOneLine, link: $0.link)
        }
        return reading
    }
}

/// A dialect of a provider whose keys other senders use, too.
protocol LooseDialect: Dialect {
    /// Returns the rule that recognises a payload by keys that other senders use, too. The rule is used only if no
    /// provider is recognised, and no media item is found.
    func detectLoosely(_ payload: PayloadLayout) -> String?

    /// Returns the mistakes of a payload that may have this provider's format, but is not recognised.
    func problems(ofUnrecognised payload: PayloadLayout) -> [PayloadProblem]
}

/// A dialect of a provider that puts its keys beside `aps`.
protocol APSDialect: Dialect {
    /// Reads the provider's keys.
    ///
    /// - Parameter reading: The result of reading `aps`, or the message that contains the data.
    func read(_ data: JSONNode, into reading: inout PushPayload)
}

extension APSDialect {
    func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        read(payload, into: &reading)
        return reading
    }
}

/// A dialect of a provider that puts its keys beside `aps` or into the data of a push for Android.
protocol MarkedDialect: APSDialect {
    /// Returns the rule that recognises the provider's data; `nil` if no rule recognises it.
    static func mark(of data: JSONNode) -> String?
}

extension MarkedDialect {
    func detect(_ payload: PayloadLayout) -> String? { payload.find(Self.mark)?.rule }

    func read(_ payload: JSONNode) -> PushPayload {
        let data = AndroidData.find(in: payload, Self.mark)?.data ?? payload
        var reading = PushPayload(around: data, in: payload)
        read(data, into: &reading)
        return reading
    }
}

extension PushPayload {
    /// The largest number of actions that are emitted. Systems show at most four.
    fileprivate static let maxActions = 32

    /// Returns this payload with a problem if it is recognised, but shows nothing. A payload that is silent or for a
    /// Live Activity gets no problem.
    func reportingEmptiness(of payload: JSONObject) -> PushPayload {
        guard dialect != nil, let problem = emptiness(of: JSONNode(payload)) else { return self }
        var reading = self
        reading.problems = [problem]
        return reading
    }

    private func emptiness(of payload: JSONNode) -> PayloadProblem? {
        guard !isSilent, lacksText, media.isEmpty, !lacksRequiredMedia, problems.isEmpty, aps.badge == nil,
            aps.sound == nil, !["content-state", "event"].contains(where: { payload["aps"][$0].exists }),
            payload["aps"].object?.isEmpty != true
        else { return nil }
        return PayloadProblem(
            PayloadProblem.nothingShown, payload,
            "the payload has no text and no media item that \(dialect?.description ?? "a dialect") reads",
            fix: "Add a text, or name another format with --dialect")
    }
}

extension PayloadProblem {
    /// The rule of a recognised payload that shows nothing.
    package static let nothingShown = "nothing-shown"

    /// The rule of a payload that no dialect recognises.
    package static let unknownPayload = "unknown-payload"
}

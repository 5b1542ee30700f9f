package import Base
package import FoundationEssentials

/// The channel by which a request came in. The channel determines the destination of the result, and whether the request
/// is cancelled when its callers stop waiting.
package enum RequestChannel: Sendable, Hashable {
    /// A file in `incoming/`, by its name. The result goes to the outbox.
    case spool(fileName: String)
    /// A call whose caller waits. The request is cancelled when its last caller stops waiting.
    case call
    /// A call that was answered before the end of the work, or that may be repeated under its key. It needs no waiter.
    case detached
}

/// A time on both clocks.
package struct ClockReading: Sendable, Equatable {
    /// The instant for deadlines.
    package var instant: MonotonicInstant
    /// The date for people, and for deadlines that survive a restart.
    package var date: Date

    package init(instant: MonotonicInstant, date: Date) {
        self.instant = instant
        self.date = date
    }
}

extension RequestClock {
    package var reading: ClockReading { ClockReading(instant: now, date: date) }
}

/// A payload or envelope that is submitted, with the properties that its transport declares.
package struct Submission: Sendable {
    /// The bytes as they were received, one JSON object; empty if no component needs them.
    package var body: [UInt8]
    package var object: JSONObject
    package var channel: RequestChannel
    package var arrival: ClockReading
    /// The group that the transport names: the spool's directory, or `?group=`. An envelope with another group is
    /// unusable.
    package var group: AppGroupName?
    /// The groups that the sender may use. A request for another group is forbidden.
    package var permittedGroups = GroupPermission.all
    /// Whether the sender may report receipts. A payload that reports one is forbidden to any other sender.
    package var mayReportReceipts = true
    /// The value of `Idempotency-Key`. An envelope with another id is unusable.
    package var id: RequestID?
    /// The spool file's name without `.json`. This name is the id of a request that names no other id.
    package var weakID: RequestID?
    /// The value of `Request-Timeout`. An envelope that also has a budget or a deadline is unusable.
    package var budget: Duration?
    /// The names of the call. The `traceparent` of an envelope takes precedence.
    package var trace = CallTrace()
    /// The template of the campaign whose recipient the body is. `object` is the completed envelope; `nil` for all other
    /// requests.
    package var template: SharedTemplate?
    /// Whether the request prepares a named message. Only such a request has an id of this kind.
    package var isPreparation = false
    /// Whether the request is a line of a batch.
    package var isBatched = false
    /// The lease of a large payload, which is held until its result is published.
    package var lease: ByteLease?
    /// The permit of the sender, which counts its unfinished requests. It is held until the result is published.
    package var permit: (any AnyObject & Sendable)?

    package init(
        body: [UInt8] = [], object: JSONObject, channel: RequestChannel = .call, arrival: ClockReading,
        group: AppGroupName? = nil, id: RequestID? = nil, weakID: RequestID? = nil, budget: Duration? = nil,
        lease: ByteLease? = nil
    ) {
        self.body = body
        self.object = object
        self.channel = channel
        self.arrival = arrival
        self.group = group
        self.id = id
        self.weakID = weakID
        self.budget = budget
        self.lease = lease
    }
}

/// The error that makes an envelope unusable: the key, its value and the valid values.
package struct EnvelopeError: Error, Sendable, Equatable, CustomStringConvertible {
    package var key: String
    package var problem: String
    /// Whether the sender may not send the request: to this app group, or to a recipient that was erased.
    package var isForbidden = false

    /// Creates an error. Both texts may repeat a sender's text. Control characters are replaced, because terminals
    /// execute them.
    package init(key: String, problem: String) {
        self.key = VisibleText.of(key)
        self.problem = VisibleText.of(problem)
    }

    /// Creates the error of a request that its sender may not send.
    package static func forbidden(_ key: String, _ problem: String) -> EnvelopeError {
        var error = EnvelopeError(key: key, problem: problem)
        error.isForbidden = true
        return error
    }

    package var description: String { "\(key): \(problem)" }
}

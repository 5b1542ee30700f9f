package import FoundationEssentials
package import JSON

/// Where a request comes from, and so where its result goes and who can take it back by leaving.
package enum RequestOrigin: Sendable, Hashable {
    /// A file in `incoming/`, by its name: the result goes to the outbox.
    case spool(fileName: String)
    /// A call whose caller waits: when the last one leaves, the request is cancelled.
    case call
    /// A call that was answered before the work is done, or that may be repeated under its key: nobody has to wait.
    case detached
}

/// When something arrived, on both clocks.
package struct Arrival: Sendable, Equatable {
    /// For deadlines.
    package var instant: MonotonicInstant
    /// For people, and for a deadline that survives a restart.
    package var date: Date

    package init(instant: MonotonicInstant, date: Date) {
        self.instant = instant
        self.date = date
    }
}

/// One payload or envelope on its way in, with what the way itself says about it.
package struct Submission: Sendable {
    /// The bytes as they came: one JSON object. Empty where nobody keeps them.
    package var body: [UInt8]
    package var object: JSONObject
    package var origin: RequestOrigin
    package var arrival: Arrival
    /// The group that the way names: the spool's folder, or `?group=`. An envelope that names another is unusable.
    package var group: AppGroupName?
    /// `Idempotency-Key`. An envelope that names another id is unusable.
    package var id: RequestID?
    /// The spool file's name without `.json`: the id of what has no other.
    package var weakID: RequestID?
    /// `Request-Timeout`. An envelope with a budget or a deadline beside it is unusable.
    package var budget: Duration?
    /// The lease of a large payload, which is held until its result is published.
    package var lease: ByteLease?

    package init(
        body: [UInt8] = [], object: JSONObject, origin: RequestOrigin = .call, arrival: Arrival,
        group: AppGroupName? = nil, id: RequestID? = nil, weakID: RequestID? = nil, budget: Duration? = nil,
        lease: ByteLease? = nil
    ) {
        self.body = body
        self.object = object
        self.origin = origin
        self.arrival = arrival
        self.group = group
        self.id = id
        self.weakID = weakID
        self.budget = budget
        self.lease = lease
    }
}

/// Why an envelope is unusable: which key, what it holds, what it should hold.
package struct EnvelopeError: Error, Sendable, Equatable, CustomStringConvertible {
    package var key: String
    package var problem: String

    /// Both repeat texts of strangers, which are cleaned because terminals obey control characters.
    package init(key: String, problem: String) {
        self.key = VisibleText.of(key)
        self.problem = VisibleText.of(problem)
    }

    package var description: String { "\(key): \(problem)" }
}

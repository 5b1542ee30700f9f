package import Base
import HTTPTypes
package import NotificationModel

/// The admission of a request as its key, or as the problem of its refusal.
extension Admission {
    package func key() throws(Problem) -> RequestKey {
        switch self {
        case .accepted(let key), .joined(let key): return key
        case .emitted(let content): return content.key
        case .conflict(let key):
            throw Problem(
                .idInUse, "A request with another body has the id \(key.id) in \(key.group).", members: key.members)
        case .unusable(let error):
            throw Problem(
                error.isForbidden ? .forbidden : .unusable, VisibleText.sentence("\(error)"),
                members: ["key": .string(error.key)])
        case .full(let time): throw Self.full("", for: time)
        case .groupFull(let time):
            throw Self.full("The app group has its largest number of unfinished requests. ", for: time)
        case .closing: throw Problem(.closing, "Try again in 1 s.", headers: [.retryAfter: "1"])
        // The sentence of the error is for the log only, because it may contain paths.
        case .failed: throw Problem(.storageFailed, "The request was not stored. Try again later.")
        }
    }

    private static func full(_ reason: String, for time: Duration) -> Problem {
        let seconds = max(1, Int(time.seconds.rounded(.up)))
        return Problem(.full, "\(reason)Try again in \(seconds) s.", headers: [.retryAfter: "\(seconds)"])
    }
}

extension JSONObject {
    /// Reads the payload in a body.
    package static func payload(_ body: [UInt8]) throws(Problem) -> JSONObject {
        try read(body, remedyOfArray: ": send each element in its own request")
    }

    /// Reads a body or a line, which must be one JSON object.
    ///
    /// - Parameter noun: The name of the text in the error.
    /// - Parameter remedy: The end of the sentence about an array.
    /// - Parameter members: The members of the problem of another JSON value.
    package static func read(
        _ bytes: [UInt8], about noun: String = "body", remedyOfArray remedy: String = "", members: JSONObject = [:]
    ) throws(Problem) -> JSONObject {
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONParser.value(of: bytes) } catch {
            if let compression = error.compression { throw .encoded(compression) }
            throw Problem(.notJSON, "The \(noun) must be one JSON object: \(error).")
        }
        guard let object = value.object else {
            throw Problem(
                .notJSON,
                "The \(noun) must be one JSON object, but it is \(value.typeName)\(value.array == nil ? "" : remedy).",
                members: members)
        }
        return object
    }
}

extension RequestState {
    var name: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .emitted: "emitted"
        }
    }
}

extension RequestKey {
    var members: JSONObject { ["id": .string(id.description), "appGroup": .string(group.description)] }

    func json(state: String? = nil) -> JSONValue {
        var object = members
        if let state { object.append("state", .string(state)) }
        return .object(object)
    }
}

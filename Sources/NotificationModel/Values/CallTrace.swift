package import JSON

/// The names that lead from a notification to the call that submitted it: in the log, in results, and in callbacks.
package struct CallTrace: Sendable, Equatable {
    /// The id of the HTTP call, which its line in the log has too; `nil` for a file, and after a restart.
    package var id: RequestID?
    /// The place in the trace of the caller; `nil` if the caller names none.
    package var parent: TraceParent?

    package init(id: RequestID? = nil, parent: TraceParent? = nil) {
        self.id = id
        self.parent = parent
    }

    /// Reads the names from an object to which ``add(to:)`` has added them. Missing and invalid names are `nil`.
    package init(_ object: JSONObject) {
        id = object["requestId"]?.string.flatMap(RequestID.init)
        parent = object["traceparent"]?.string.flatMap(TraceParent.init)
    }

    /// Adds the names that are known to a result or a callback.
    package func add(to object: inout JSONObject) {
        if let id { object.append("requestId", .string(id.description)) }
        if let parent { object.append("traceparent", .string(parent.description)) }
    }

    /// The fields of log lines with the names that are known.
    package var logFields: [(name: String, value: String)] {
        [("request-id", id?.description), ("traceparent", parent?.description)].compactMap { name, value in
            value.map { (name, $0) }
        }
    }
}

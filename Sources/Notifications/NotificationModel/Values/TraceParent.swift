package import Base

/// The place of a request in the trace of its caller: the value of `traceparent` (W3C Trace Context, §3.2). The daemon
/// passes it on unchanged, and makes no spans of its own.
package struct TraceParent: Sendable, Hashable, CustomStringConvertible {
    /// The value in the form of version 00, which has 55 characters.
    package let description: String

    /// The length of a value of version 00. Values of later versions may be longer.
    private static let length = 55
    /// The length of a value that is read. Longer values are refused.
    private static let maxLength = 256

    /// Parses a value. The fields of version 00 are kept of a later version, as the specification requires (§3.2.4).
    ///
    /// - Returns: `nil` if the value does not have the form of the specification, or if one of its ids is zero.
    package init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.maxLength + 1))
        guard (Self.length...Self.maxLength).contains(bytes.count) else { return nil }
        let fields = bytes[..<Self.length].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard fields.map(\.count) == [2, 32, 16, 2], fields.joined().allSatisfy(Self.isDigit) else { return nil }
        let (version, flags) = (fields[0], fields[3])
        guard !version.elementsEqual("ff".utf8), fields[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
        else { return nil }
        let isFirstVersion = version.elementsEqual("00".utf8)
        let rest = bytes[Self.length...]
        guard rest.isEmpty || !isFirstVersion && rest.first == UInt8(ascii: "-") && rest.allSatisfy(Self.isVisible)
        else { return nil }
        let ids = fields[1...2].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        // Only the lowest bit of the flags has a meaning in each version.
        let isSampled = flags.last.map { "13579bdf".utf8.contains($0) } ?? false
        description = "00-\(ids)-" + (isFirstVersion ? String(decoding: flags, as: UTF8.self) : isSampled ? "01" : "00")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }
}

extension TraceParent {
    /// Returns the body of a request as an envelope with this value, so that the stored request has it. The bytes of the
    /// object stay the same; a byte order mark before it is left out.
    ///
    /// - Parameter body: A JSON object without this key.
    /// - Parameter isEnvelope: Whether the body is an envelope and not a bare payload.
    /// - Parameter deepest: The deepest nesting that a reader of the body permits. A bare payload that could be nested too
    ///   deeply in an envelope is returned without the value.
    package func adding(to body: [UInt8], isEnvelope: Bool, deepest: Int) -> [UInt8] {
        let key = Array("{\"traceparent\":\"\(description)\",".utf8)
        let object = body.drop { $0 != UInt8(ascii: "{") }
        if isEnvelope { return key + object.dropFirst() }
        let openings = object.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        guard openings < deepest else { return body }
        return key + Array("\"payload\":".utf8) + object + [UInt8(ascii: "}")]
    }
}

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

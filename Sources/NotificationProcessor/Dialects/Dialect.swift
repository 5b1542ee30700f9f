package import NotificationModel

/// A provider's payload format: how it is recognised, and where its media and texts are.
///
/// A dialect reads and never throws: what is not of the expected type is not there. It does no I/O and knows no other
/// dialect.
package protocol Dialect: Sendable {
    var id: DialectID { get }

    /// The rule that recognises the payload as this provider's, `nil` where none does.
    func detect(_ payload: JSONObject) -> String?

    /// What the payload says, in neutral terms.
    func read(_ payload: JSONNode) -> PushPayload
}

/// All dialects, in the order in which they are tried: the first that recognises a payload reads it.
package struct DialectTable: Sendable {
    package static let standard = DialectTable(dialects: [
        NativeDialect(),
        TwoMeeDialect(),
        SendiosDialect(),
        APNsDialect(),
    ])

    private let dialects: [any Dialect]

    package init(dialects: [any Dialect]) { self.dialects = dialects }

    package var identifiers: [DialectID] { dialects.map(\.id) }

    /// - Parameter requested: a dialect to use without asking whether it recognises the payload.
    package func read(_ payload: JSONObject, requested: DialectID? = nil) -> PushPayload {
        if let requested, let dialect = dialects.first(where: { $0.id == requested }) {
            return dialect.reading(payload, detectedBy: "requested")
        }
        for dialect in dialects {
            if let rule = dialect.detect(payload) { return dialect.reading(payload, detectedBy: rule) }
        }
        return PushPayload()
    }
}

extension Dialect {
    fileprivate func reading(_ payload: JSONObject, detectedBy rule: String) -> PushPayload {
        var reading = read(JSONNode(payload))
        reading.dialect = id
        reading.detectedBy = rule
        return reading
    }
}

package import JSON
package import NotificationModel

/// A dialect of a provider that puts its keys beside `aps` or into the data of a push for Android.
package protocol MarkedDialect: Dialect {
    /// Returns the rule that recognises the provider's data; `nil` if no rule recognises it.
    static func mark(of data: JSONNode) -> String?

    /// Reads the provider's data.
    ///
    /// - Parameter reading: The result of reading the message that contains the data.
    func read(_ data: JSONNode, into reading: inout PushPayload)
}

extension MarkedDialect {
    package func detect(_ payload: PayloadLayout) -> String? {
        payload.find(Self.mark)?.rule
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let data = AndroidData.find(in: payload, Self.mark)?.data ?? payload
        var reading = PushPayload(around: data, in: payload)
        read(data, into: &reading)
        return reading
    }
}

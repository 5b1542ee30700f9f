package import HTTPTypes

/// A request as it is asked of the cache, and as it goes to the origin.
package struct OriginRequest: Sendable, Equatable {
    package var method: HTTPRequest.Method
    /// Absolute, without a fragment, as it will be requested.
    package var url: String
    /// Without `Host` and the fields of the connection.
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(
        _ method: HTTPRequest.Method = .get, _ url: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

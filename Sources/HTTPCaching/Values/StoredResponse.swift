package import FoundationEssentials
package import HTTPTypes

/// A response in the cache, without its bytes (RFC 9111 §3).
package struct StoredResponse: Sendable, Equatable {
    /// The identifier of the stored bytes. Each body has a new identifier, and a 304 does not change it.
    package var id: String
    /// The key under which the response is found: the URL, and the credentials with which it was fetched.
    package var key: String
    package var method: String
    /// The fields of the request that `Vary` of the response names.
    package var requestFields: HTTPFields
    package var head: ResponseHead
    package var requestTime: Date
    package var responseTime: Date
    /// The positions of the stored bytes in the representation. The response is whole if they begin at 0 and end at
    /// `completeLength`.
    package var storedBytes: Range<Int>
    /// The length of the whole representation, in bytes; `nil` if it is unknown.
    package var completeLength: Int?

    package init(
        id: String, key: String, method: String, requestFields: HTTPFields, head: ResponseHead, requestTime: Date,
        responseTime: Date, storedBytes: Range<Int>, completeLength: Int?
    ) {
        self.id = id
        self.key = key
        self.method = method
        self.requestFields = requestFields
        self.head = head
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.storedBytes = storedBytes
        self.completeLength = completeLength
    }

    /// The part of the key before the digest of the credentials.
    package var url: String { String(key.prefix { $0 != " " }) }

    package var isWhole: Bool { storedBytes.lowerBound == 0 && storedBytes.upperBound == completeLength }
}

package import FoundationEssentials
package import HTTPTypes

/// A response in the cache, without its bytes (RFC 9111 §3).
package struct StoredResponse: Sendable, Equatable {
    /// Names the stored bytes. A new one for each body; a 304 keeps it.
    package var id: String
    /// What it is looked up by: the URL, and whose credentials it was fetched with.
    package var key: String
    package var method: String
    /// The fields of the request that brought it, those that `Vary` may name.
    package var requestFields: HTTPFields
    package var head: ResponseHead
    package var requestTime: Date
    package var responseTime: Date
    /// Which bytes of the representation are stored; the whole where `completeLength` equals its end and it begins at 0.
    package var storedBytes: Range<Int>
    /// The length of the whole representation, where it is known.
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

    /// The part of the key before the digest of credentials.
    package var url: String { String(key.prefix { $0 != " " }) }

    package var isWhole: Bool { storedBytes.lowerBound == 0 && storedBytes.upperBound == completeLength }
}

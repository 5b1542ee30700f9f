/// A stale response has been given that the origin is still to be asked about.
package struct Revalidation: Sendable, Equatable {
    package var request: OriginRequest
    package var key: String

    package init(request: OriginRequest, key: String) {
        self.request = request
        self.key = key
    }
}

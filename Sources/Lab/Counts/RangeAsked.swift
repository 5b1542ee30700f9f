/// A request for a part of something.
package struct RangeAsked: Sendable, Equatable {
    /// As in ``OriginCounts/hitsByPath``.
    package let path: String
    /// The value of `Range`, as sent.
    package let range: String
}

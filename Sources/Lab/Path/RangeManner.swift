/// What becomes of a `Range`.
package enum RangeManner: Sendable, Equatable {
    /// The range that was asked for, and nobody else gets one (RFC 9110, section 14).
    case answered
    /// 206 with another range than the one asked for, and 206 to who did not ask.
    case wrong
    /// The whole file, whatever was asked for.
    case ignored
}

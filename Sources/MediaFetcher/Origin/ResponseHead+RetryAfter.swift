package import FoundationEssentials
package import HTTPCaching
import HTTPTypes

extension ResponseHead {
    /// Returns the pause that `Retry-After` asks for (RFC 9110 §10.2.3); `nil` if the field is missing or malformed.
    package func retryAfter(at now: Date) -> Duration? {
        value(of: .retryAfter).flatMap { OriginFetch.delay($0, at: now) }
    }
}

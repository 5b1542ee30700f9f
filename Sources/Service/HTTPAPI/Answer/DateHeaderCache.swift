import Base
import Glibc

/// The value of the `Date` field, rendered once a second (RFC 9110 §5.6.7).
final class DateHeaderCache: Sendable {
    private let cached = Guarded((second: time_t(-1), text: ""))

    var text: String {
        let now = time(nil)
        return cached.withLock { cached in
            if cached.second != now { cached = (now, HTTPDate.text(unixTime: now)) }
            return cached.text
        }
    }
}

import Glibc
import NotificationModel

/// The value of the `Date` field, rendered once a second (RFC 9110 §5.6.7).
final class DateHeaderCache: Sendable {
    private let cached = Guarded((second: time_t(-1), text: ""))

    var text: String {
        let now = time(nil)
        return cached.withLock { cached in
            if cached.second != now { cached = (now, Self.text(of: now)) }
            return cached.text
        }
    }

    static func text(of second: time_t) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
        let month = months[Int(parts.tm_mon)]
        return "\(days[Int(parts.tm_wday)]), \(twoDigits(parts.tm_mday)) \(month) \(1900 + parts.tm_year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

import FoundationEssentials
import JSON

/// The headers of a request to APNs, whose names are in upper or lower case.
enum APNsHeaders {
    /// Returns the time until which APNs delivers the notification; `nil` if the headers have none. The value is in
    /// seconds since 1970, as a number or as digits. The value 0 limits only the storing of the notification (Apple,
    /// "Sending notification requests to APNs").
    static func expiration(in headers: JSONNode) -> Date? {
        let key = headers.object?.keys.last { $0.lowercased() == "apns-expiration" }
        guard let seconds = key.flatMap({ headers[$0].looseDouble }), seconds > 0 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}

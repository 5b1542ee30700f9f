import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel
import Primitives

extension ArrivingMedia.Version {
    /// Creates the version of a response. The result is `nil` if the response has neither a strong validator nor a
    /// length.
    ///
    /// - Parameter date: the time of the response.
    init?(_ head: ResponseHead, completeLength: Int?, at date: Date) {
        let validator = Self.validator(of: head, at: date)
        guard validator != nil || completeLength != nil else { return nil }
        self.init(validator: validator, completeLength: completeLength)
    }

    /// Returns the strong entity tag, or a strong date if the response has no tag (RFC 9110 §13.1.5); otherwise `nil`.
    private static func validator(of head: ResponseHead, at date: Date) -> String? {
        if let tag = head.value(of: .eTag) { return tag.hasPrefix("\"") ? tag : nil }
        guard let modified = head.value(of: .lastModified), let change = HTTPDate.read(modified, now: date) else {
            return nil
        }
        // A response without a `Date` gets the time of its arrival (RFC 9110 §6.6.1).
        let sent = head.value(of: .date).flatMap { HTTPDate.read($0, now: date) } ?? date
        // A file that changes twice in a second has the same date for both versions (RFC 9110 §8.8.2.2).
        return sent.timeIntervalSince(change) >= 1 ? modified : nil
    }
}

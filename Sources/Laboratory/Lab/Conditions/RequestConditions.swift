import Base
import FoundationEssentials
package import NIOHTTP1

/// The conditions of a request and its range (RFC 9110, sections 13 and 14).
package struct RequestConditions: Sendable {
    package enum Outcome: Sendable, Equatable {
        case whole
        case part(Range<Int>)
        case notModified
        case preconditionFailed
        case unsatisfiableRange
    }

    private let fields: HTTPHeaders
    private let range: RangeHeader?

    package init(of request: HTTPRequestHead) {
        fields = request.headers
        // RFC 9110 defines range requests only for GET.
        range = request.method == .GET ? fields.first(name: "Range").flatMap { RangeHeader($0) } : nil
    }

    /// Returns whether a request with these headers has a condition.
    static func areThere(in fields: HTTPHeaders) -> Bool {
        ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
            .contains { fields.contains(name: $0) }
    }

    /// Returns the outcome of the conditions, which are evaluated in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameter shown: The headers of the whole file as the client sees them. A validator that a fault removed
    ///   matches nothing.
    /// - Parameter size: The size of the whole file, in bytes.
    package func outcome(for shown: HTTPHeaders, size: Int) -> Outcome {
        let tag = shown.first(name: "ETag")
        let date = shown.first(name: "Last-Modified")
        if fields.contains(name: "If-Match") {
            guard matches("If-Match", tag, weakly: false) else { return .preconditionFailed }
        } else if isModified(date, since: "If-Unmodified-Since") == true {
            return .preconditionFailed
        }
        if fields.contains(name: "If-None-Match") {
            if matches("If-None-Match", tag, weakly: true) { return .notModified }
        } else if isModified(date, since: "If-Modified-Since") == false {
            return .notModified
        }
        guard let range, ifRangeHolds(tag, date) else { return .whole }
        return range.bytes(of: size).map { .part($0) } ?? .unsatisfiableRange
    }

    private func matches(_ name: String, _ tag: String?, weakly: Bool) -> Bool {
        fields[canonicalForm: name].contains { candidate in
            candidate == "*" || tag.map { Self.areEqual(String(candidate), $0, weakly: weakly) } == true
        }
    }

    /// Returns whether a date is later than that of the request's header `name`; `nil` if one of them is not a date.
    private func isModified(_ date: String?, since name: String) -> Bool? {
        guard let date = date.flatMap({ HTTPDate.unixTime(ofPreferredForm: $0) }),
            let known = fields.first(name: name).flatMap({ HTTPDate.unixTime(ofPreferredForm: $0) })
        else { return nil }
        return date > known
    }

    /// Returns whether the strong tag or the date of `If-Range` is equal to that of the file (RFC 9110 §13.1.5).
    private func ifRangeHolds(_ tag: String?, _ date: String?) -> Bool {
        guard let validator = fields.first(name: "If-Range") else { return true }
        return validator == date || tag.map { Self.areEqual(validator, $0, weakly: false) } == true
    }

    /// Compares two entity tags, weakly or strongly (RFC 9110 §8.8.3.2).
    private static func areEqual(_ one: String, _ other: String, weakly: Bool) -> Bool {
        if weakly { return one.trimmingWeakness == other.trimmingWeakness }
        return one == other && !one.hasPrefix("W/")
    }
}

extension String {
    fileprivate var trimmingWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}

/// The header `Range` (RFC 9110, section 14.2), as far as this origin supports it: one range of bytes.
package enum RangeHeader: Sendable, Equatable {
    /// A range such as `bytes=100-199` or `bytes=100-`. The last byte is included.
    case from(Int, through: Int?)
    /// A number of bytes at the end of the body, such as `bytes=-100`.
    case suffix(Int)

    /// Parses a value. The result is `nil` if the value has several ranges or another unit, or is malformed. The origin
    /// then ignores the header, as RFC 9110 §14.2 permits.
    package init?(_ value: String) {
        let parts = value.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let numbers = ends.map { Int(decimalDigits: $0, atMost: 18) }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let length?) where ends[0].isEmpty: self = .suffix(length)
        default: return nil
        }
    }

    /// Returns the selected bytes of a body of `size` bytes; `nil` if the body has none of them.
    package func bytes(of size: Int) -> Range<Int>? {
        let bytes =
            switch self {
            case .from(let first, let last): min(first, size)..<min((last ?? size) + 1, size)
            case .suffix(let length): max(0, size - length)..<size
            }
        return bytes.isEmpty ? nil : bytes
    }
}

import Base
package import HTTPTypes

/// The answer that the conditions and the range of a request ask for (RFC 9110 §13 and §14).
package enum MediaSelection: Sendable, Equatable {
    case whole
    case part(Range<Int>)
    /// The client has the file already.
    case notModified
    /// The client asks for another version of the file, which does not exist.
    case otherVersion
    /// The range begins after the end of the file.
    case unsatisfiable

    /// - Parameter entityTag: The strong entity tag of the file.
    /// - Parameter byteCount: The size of the file.
    package init(of request: HTTPRequest, entityTag: String, byteCount: Int) {
        let fields = request.headerFields
        if let tags = fields[.ifMatch], !Self.names(entityTag, in: tags, isWeak: false) {
            self = .otherVersion
        } else if let tags = fields[.ifNoneMatch], Self.names(entityTag, in: tags, isWeak: true) {
            self = .notModified
        } else if request.method == .get, let range = fields[.range],
            fields[.ifRange].map({ $0[...].trimmingBlanks == entityTag }) ?? true
        {
            self = Self.selection(of: range, byteCount: byteCount)
        } else {
            self = .whole
        }
    }

    /// Returns the selection of a `Range` field. Malformed fields and several ranges are ignored, as RFC 9110 §14.2
    /// permits: phones ask for one range.
    private static func selection(of field: String, byteCount: Int) -> MediaSelection {
        let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].trimmingBlanks.lowercased() == "bytes", !sides[1].contains(",") else {
            return .whole
        }
        let ends = sides[1].trimmingBlanks.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return .whole }
        // A number that is too large for `Int` is beyond the end of each file.
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? Int.max }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last?) where last < first: return .whole
        case (let first?, let last):
            guard first < byteCount else { return .unsatisfiable }
            return .part(first..<min(byteCount - 1, last ?? byteCount - 1) + 1)
        case (nil, let count?):
            guard count > 0, byteCount > 0 else { return .unsatisfiable }
            return .part(max(0, byteCount - count)..<byteCount)
        case (nil, nil): return .whole
        }
    }

    /// Returns whether a list of entity tags has a tag.
    ///
    /// - Parameter isWeak: Whether weak tags are compared too (RFC 9110 §8.8.3.2).
    package static func names(_ entityTag: String, in list: String, isWeak: Bool) -> Bool {
        list.split(separator: ",").map(\.trimmingBlanks).contains { tag in
            tag == "*" || tag == entityTag || isWeak && tag == "W/" + entityTag
        }
    }
}

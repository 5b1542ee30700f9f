import HTTPTypes

/// One range of bytes that is asked for (RFC 9110 §14.1.2, §14.2).
enum ByteRange: Sendable, Equatable {
    /// `first-last`, the last included.
    case closed(Int, Int)
    /// `first-`
    case from(Int)
    /// `-length`
    case last(Int)

    /// `nil` where there is no `Range`, where it has another unit or several ranges, or is not well-formed: then it may
    /// be passed over (§14.2).
    init?(_ fields: HTTPFields) {
        let lines = fields[values: .range]
        guard lines.count == 1, let line = lines.first, let equals = line.firstIndex(of: "="),
            line[..<equals].lowercased() == "bytes"
        else { return nil }
        let text = ListField.trimmed(line[line.index(after: equals)...])
        let sides = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2 else { return nil }
        switch (ByteCount.read(sides[0]), ByteCount.read(sides[1])) {
        case (let first?, let last?) where first <= last: self = .closed(first, last)
        case (let first?, nil) where sides[1].isEmpty: self = .from(first)
        case (nil, let length?) where sides[0].isEmpty: self = .last(length)
        default: return nil
        }
    }

    /// Which bytes these are of a representation of a length; `nil` where there are none (§14.1.1).
    func resolved(length: Int) -> Range<Int>? {
        let range =
            switch self {
            case .closed(let first, let last): min(first, length)..<min(last + 1, length)
            case .from(let first): min(first, length)..<length
            case .last(let count): (length - min(count, length))..<length
            }
        return range.isEmpty ? nil : range
    }
}

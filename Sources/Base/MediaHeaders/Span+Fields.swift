/// The functions that read the fields of file headers. A read outside the bytes returns `nil` instead of a trap.
extension Span where Element == UInt8 {
    package func byte(at offset: Int) -> UInt8? { offset >= 0 && offset < count ? self[offset] : nil }

    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    package func bigEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8
            | Int(self[offset + 3])
    }

    /// Returns the number in two's complement.
    func bigEndian64(at offset: Int) -> Int? {
        guard let high = bigEndian32(at: offset), let low = bigEndian32(at: offset + 4) else { return nil }
        return high << 32 | low
    }

    package func littleEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset + 1]) << 8 | Int(self[offset])
    }

    func littleEndian24(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 3 else { return nil }
        return Int(self[offset + 2]) << 16 | Int(self[offset + 1]) << 8 | Int(self[offset])
    }

    package func littleEndian32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return Int(self[offset + 3]) << 24 | Int(self[offset + 2]) << 16 | Int(self[offset + 1]) << 8
            | Int(self[offset])
    }

    /// Returns the number in two's complement, -2³¹…2³¹-1.
    func signedLittleEndian32(at offset: Int) -> Int? {
        littleEndian32(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    /// Returns the bytes of a range, without the part of the range that lies outside the span.
    package func copy(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for offset in range { bytes.append(self[offset]) }
        return bytes
    }

    /// Returns the four-character code of a chunk or box.
    package func code(at offset: Int) -> FourCharacterCode? {
        bigEndian32(at: offset).map { FourCharacterCode(rawValue: UInt32($0)) }
    }

    /// Returns whether the ASCII characters of `text` are at the offset, in the same case.
    func spells(_ text: StaticString, at offset: Int) -> Bool { matches(text, at: offset) { $0 } }

    /// Returns whether the lowercase ASCII characters of `text` are at the offset, in either case.
    func spells(anyCase text: StaticString, at offset: Int) -> Bool {
        matches(text, at: offset) { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private func matches(_ text: StaticString, at offset: Int, as folded: (UInt8) -> UInt8) -> Bool {
        text.withUTF8Buffer { text in
            for index in text.indices {
                guard let found = byte(at: offset + index), folded(found) == text[index] else { return false }
            }
            return true
        }
    }

    /// Returns the first offset at or after `start` that has the lowercase text in either case; `nil` if none exists.
    func firstOffset(ofAnyCase text: StaticString, from start: Int = 0) -> Int? {
        let length = text.utf8CodeUnitCount
        guard length > 0, start >= 0 else { return nil }
        var offset = start
        while offset <= count - length {
            if spells(anyCase: text, at: offset) { return offset }
            offset += 1
        }
        return nil
    }
}

extension Int {
    /// Returns the product of two sizes, or `Int.max` on overflow. Sizes are only compared with limits.
    package func multipliedOrMax(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    /// Returns the sum of two sizes, or `Int.max` on overflow.
    package func addedOrMax(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

/// A four-character code, the type of a PNG chunk, a RIFF chunk or an ISO box: four ASCII characters as one number.
package struct FourCharacterCode: Equatable, Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Whether each of the four bytes is in 0x20…0x7E. Registered types are, and bytes that a camera appends seldom.
    var isPrintable: Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

    /// The code for a log line: the characters in quotes, or the hexadecimal number if they cannot be printed.
    var text: String {
        isPrintable ? "'\(String(decoding: bytes, as: UTF8.self))'" : "0x\(String(rawValue, radix: 16))"
    }

    private var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }
}

/// The reason why a header walk ended without a header. The text names the part of the file, for one log line.
package enum MediaHeaderError: Error, Sendable, Equatable {
    /// The bytes do not begin with the signature of this format.
    case wrongFormat
    /// The bytes end inside the named part.
    case truncated(String)
    /// The named part contradicts the format.
    case malformed(String)
    /// The file has more of the named parts than a walk lists.
    case excessive(String)
    /// The named part follows the format, but no decoder of the worker can show it.
    case unsupported(String)

    /// One line that names the fault and the part of the file.
    package var detail: String {
        switch self {
        case .wrongFormat: "not the signature of this format"
        case .truncated(let part): "ends inside \(part)"
        case .malformed(let part): "malformed \(part)"
        case .excessive(let part): "too many \(part)"
        case .unsupported(let part): "no support for \(part)"
        }
    }
}

import Base

/// A writer that appends fields to a message.
struct WireWriter {
    var bytes: [UInt8] = []

    mutating func put(_ value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

    mutating func put(_ value: (some FixedWidthInteger)?) {
        put(value != nil)
        if let value { put(value) }
    }

    /// Appends the length of a text and the text. All characters other than printable ASCII are left out.
    ///
    /// - Parameter most: The number of bytes at which the text is cut, at most 255.
    mutating func put(_ text: String, upTo most: Int) {
        let printable = text.utf8.filter { (0x20...0x7E).contains($0) }.prefix(most)
        put(UInt8(printable.count))
        bytes += printable
    }

    mutating func put(_ text: String?, upTo most: Int) {
        put(text != nil)
        if let text { put(text, upTo: most) }
    }
}

/// A reader that takes fields from a message, in order.
struct WireReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func get<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(WireError) -> Value {
        let width = Value.bitWidth / 8
        guard rest.count >= width else { throw WireError() }
        let value = rest.prefix(width).reversed().reduce(Value.zero) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        rest = rest.dropFirst(width)
        return value
    }

    mutating func flag() throws(WireError) -> Bool {
        switch try get(UInt8.self) {
        case 0: false
        case 1: true
        default: throw WireError()
        }
    }

    mutating func optional<Value: FixedWidthInteger>(_: Value.Type) throws(WireError) -> Value? {
        try flag() ? try get(Value.self) : nil
    }

    /// Returns an optional duration of at most 2^40 milliseconds, which are 34 years. A greater number, which no media
    /// file has, would overflow the daemon's arithmetic.
    mutating func duration() throws(WireError) -> UInt64? {
        let milliseconds = try optional(UInt64.self)
        guard milliseconds ?? 0 <= 1 << 40 else { throw WireError() }
        return milliseconds
    }

    mutating func code<Code: RawRepresentable>(_: Code.Type) throws(WireError) -> Code where Code.RawValue == UInt8 {
        guard let code = Code(rawValue: try get()) else { throw WireError() }
        return code
    }

    mutating func role() throws(WireError) -> RenditionKind {
        let code: UInt8 = try get()
        guard let role = RenditionKind.allCases.first(where: { $0.wireCode == code }) else { throw WireError() }
        return role
    }

    /// Returns a media format that a message may name at this place.
    mutating func format(_ isAllowed: (MediaFormat) -> Bool) throws(WireError) -> MediaFormat {
        let format = try code(MediaFormat.self)
        guard isAllowed(format) else { throw WireError() }
        return format
    }

    mutating func count(upTo most: Int) throws(WireError) -> Int {
        let count = Int(try get(UInt8.self))
        guard count <= most else { throw WireError() }
        return count
    }

    /// Returns a text of printable ASCII, which follows after its length.
    mutating func text(upTo most: Int) throws(WireError) -> String {
        let count = try count(upTo: most)
        guard rest.count >= count, rest.prefix(count).allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw WireError()
        }
        defer { rest = rest.dropFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    mutating func optionalText(upTo most: Int) throws(WireError) -> String? {
        try flag() ? try text(upTo: most) : nil
    }

    mutating func expect(_ byte: UInt8) throws(WireError) {
        guard try get(UInt8.self) == byte else { throw WireError() }
    }

    func end() throws(WireError) {
        guard rest.isEmpty else { throw WireError() }
    }
}

extension RenditionKind {
    var wireCode: UInt8 {
        switch self {
        case .attachment: 1
        case .thumbnail: 2
        case .poster: 3
        }
    }
}

/// The type of a PNG chunk, a RIFF chunk or an ISO box: four ASCII characters as one number.
struct FourCharacterCode: Equatable, Hashable, Sendable, ExpressibleByStringLiteral {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

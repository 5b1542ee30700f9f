/// The bytes at fixed offsets by which a file shows its format.
struct MagicNumber: Sendable, ExpressibleByStringLiteral {
    private var parts: [(offset: Int, bytes: [UInt8])]

    /// Creates the magic number of a file that begins with the characters, which must be ASCII.
    init(stringLiteral text: StaticString) { parts = [(0, text.withUTF8Buffer(Array.init))] }

    private init(_ parts: [(offset: Int, bytes: [UInt8])]) { self.parts = parts }

    /// Returns the magic number of a file that begins with a text and has another text at a later offset.
    static func begin(_ start: StaticString, then text: StaticString, at offset: Int) -> MagicNumber {
        MagicNumber(stringLiteral: start).and(text, at: offset)
    }

    /// Returns the magic number of a file that begins with the bytes.
    static func bytes(_ bytes: UInt8...) -> MagicNumber { MagicNumber([(0, bytes)]) }

    /// Returns a magic number that also has characters at a later offset.
    func and(_ text: StaticString, at offset: Int) -> MagicNumber {
        MagicNumber(parts + [(offset, text.withUTF8Buffer(Array.init))])
    }

    /// The number of bytes that a file must have at their offsets.
    var byteCount: Int { parts.reduce(0) { $0 + $1.bytes.count } }

    /// A file of the shortest length that has the magic number. Other bytes are zero.
    var sample: [UInt8] {
        var sample: [UInt8] = []
        for part in parts {
            sample += [UInt8](repeating: 0, count: part.offset - sample.count) + part.bytes
        }
        return sample
    }

    /// Returns whether a file begins with the magic number.
    func matches(_ head: Span<UInt8>) -> Bool {
        for part in parts {
            guard part.offset + part.bytes.count <= head.count else { return false }
            for index in part.bytes.indices where head[part.offset + index] != part.bytes[index] { return false }
        }
        return true
    }
}

extension MediaFormat {
    /// The magic numbers of all formats, the longest first, so that a more specific one takes precedence.
    private static let magicNumbers = allCases.flatMap { format in format.facts.magic.map { (format, $0) } }
        .sorted { $0.1.byteCount > $1.1.byteCount }

    /// Returns the format of the magic number with which a file begins; `nil` if the file begins with none.
    ///
    /// A short magic number may be a coincidence. `MediaSignature` checks it, and recognizes formats without one.
    package static func withMagic(_ head: Span<UInt8>) -> MediaFormat? {
        for (format, magic) in magicNumbers where magic.matches(head) { return format }
        return nil
    }

    /// Returns whether a file begins with a magic number of the format.
    package func begins(_ head: Span<UInt8>) -> Bool {
        for magic in facts.magic where magic.matches(head) { return true }
        return false
    }

    /// One file for each magic number of the format. Other bytes of the files are zero.
    package var magicSamples: [[UInt8]] { facts.magic.map(\.sample) }
}

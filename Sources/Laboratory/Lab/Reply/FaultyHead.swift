import NIOCore

/// The bytes of a head that is a part of the fault: it is sent slowly or never ends.
struct FaultyHead {
    /// The length of an additional header line, in bytes.
    static let lineLength = 1000
    private static let endlessLine = ByteBuffer(string: "X-Endless: \(filler("X-Endless", lineLength: lineLength))\r\n")

    private let bytes: ByteBuffer
    /// The length of the head in bytes; `nil` if the head never ends.
    let length: Int?

    /// - Parameter encoded: The status line, the headers and the empty line.
    init(_ encoded: ByteBuffer, isEndless: Bool) {
        // Without the empty line, more headers can follow.
        let open = encoded.getSlice(at: encoded.readerIndex, length: encoded.readableBytes - 2) ?? encoded
        bytes = isEndless ? open : encoded
        length = isEndless ? nil : encoded.readableBytes
    }

    func pace(over duration: Duration) -> Pace? {
        Pace(bytes: bytes.readableBytes, over: duration, tick: Pace.shortestHeadTick)
    }

    /// Returns at least one and up to `limit` bytes from `offset`.
    func read(at offset: Int, limit: Int) -> ByteBuffer? {
        let beyond = offset - bytes.readableBytes
        let (text, start) = beyond < 0 ? (bytes, offset) : (Self.endlessLine, beyond % Self.lineLength)
        return text.getSlice(at: text.readerIndex + start, length: min(limit, text.readableBytes - start))
    }

    /// Returns the value for a header line with this number of bytes and its line break. It has at least one byte.
    static func filler(_ name: String, lineLength: Int) -> String {
        let frame = name.utf8.count + ": \r\n".utf8.count
        return String(repeating: "a", count: max(1, lineLength - frame))
    }
}

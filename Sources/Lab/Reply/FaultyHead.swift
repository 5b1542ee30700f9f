import NIOCore

/// The bytes of a head, where these are part of the fault: paced, or without end.
struct FaultyHead {
    /// Fields follow each other in lines of so many bytes.
    static let lineLength = 1000
    private static let endlessLine = ByteBuffer(
        string: "X-Endless: \(filler("X-Endless", lineLength: lineLength))\r\n")

    private let bytes: ByteBuffer
    /// In bytes; `nil` where there is no end.
    let length: Int?

    /// - Parameter encoded: status line, fields and the empty line.
    init(_ encoded: ByteBuffer, isEndless: Bool) {
        // Without the empty line the fields go on.
        bytes =
            isEndless
            ? encoded.getSlice(at: encoded.readerIndex, length: encoded.readableBytes - 2) ?? encoded : encoded
        length = isEndless ? nil : encoded.readableBytes
    }

    func pace(over duration: Duration) -> Pace? {
        Pace(bytes: bytes.readableBytes, over: duration, tick: Pace.shortestHeadTick)
    }

    /// Up to `limit` bytes, at least one, from `offset` on.
    func read(at offset: Int, limit: Int) -> ByteBuffer? {
        let beyond = offset - bytes.readableBytes
        let (text, start) = beyond < 0 ? (bytes, offset) : (Self.endlessLine, beyond % Self.lineLength)
        return text.getSlice(at: text.readerIndex + start, length: min(limit, text.readableBytes - start))
    }

    /// The value with which a field's line has so many bytes, line break included; at least one byte.
    static func filler(_ name: String, lineLength: Int) -> String {
        let frame = name.utf8.count + ": \r\n".utf8.count
        return String(repeating: "a", count: max(1, lineLength - frame))
    }
}

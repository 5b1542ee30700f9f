package import NIOCore

/// The bytes of a reply, readable at any offset.
package enum ReplyBody: Sendable {
    case bytes(ByteBuffer)
    case file(ServedFile)

    package static let empty = ReplyBody.bytes(ByteBuffer())

    /// In bytes.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.readableBytes
        case .file(let file): file.size
        }
    }

    /// Up to `limit` bytes from `offset` on; past the end the body begins again. `nil` where the bytes are gone (a file
    /// that shrank) or never were (an empty body).
    func read(at offset: Int, limit: Int) -> ByteBuffer? {
        guard count > 0 else { return nil }
        let start = offset % count
        let length = min(limit, count - start)
        switch self {
        case .bytes(let bytes): return bytes.getSlice(at: bytes.readerIndex + start, length: length)
        case .file(let file): return file.read(length, at: start)
        }
    }
}

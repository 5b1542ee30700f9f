package import NIOCore

/// The bytes of a reply, which can be read at any offset.
package struct ReplyBody: Sendable {
    private enum Source {
        case bytes(ByteBuffer)
        case file(ServedFile)
    }

    /// The number of first bytes that stay the same in a changed file, so that its signature still shows its type.
    package static let unchangedPrefix = 32
    package static let empty = bytes(ByteBuffer())

    private let source: Source
    /// The range of bytes of the source.
    private var part: Range<Int>
    private var isChanged = false

    package static func bytes(_ bytes: ByteBuffer) -> ReplyBody {
        ReplyBody(source: .bytes(bytes), part: 0..<bytes.readableBytes)
    }

    package static func file(_ file: ServedFile) -> ReplyBody { ReplyBody(source: .file(file), part: 0..<file.size) }

    package var count: Int { part.count }

    /// Returns the bytes at `range`, which must be within this body.
    package func part(_ range: Range<Int>) -> ReplyBody {
        var body = self
        body.part = part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound
        return body
    }

    /// The body of a file that was overwritten. The body has the same length, and all bits after ``unchangedPrefix``
    /// are inverted. A test can therefore recognise a mixture of both bodies.
    package var changed: ReplyBody {
        var body = self
        body.isChanged = true
        return body
    }

    /// Returns up to `limit` bytes from `offset`; after its end the body begins again. The result is `nil` if the file
    /// was truncated, or if the body is empty.
    package func read(at offset: Int, limit: Int) -> ByteBuffer? {
        guard count > 0 else { return nil }
        let start = offset % count
        let length = min(limit, count - start)
        let place = part.lowerBound + start
        let piece =
            switch source {
            case .bytes(let bytes): bytes.getSlice(at: bytes.readerIndex + place, length: length)
            case .file(let file): file.read(length, at: place)
            }
        return isChanged ? piece.map { Self.inverted($0, from: max(0, Self.unchangedPrefix - place)) } : piece
    }

    private static func inverted(_ bytes: ByteBuffer, from start: Int) -> ByteBuffer {
        ByteBuffer(bytes: bytes.readableBytesView.enumerated().map { $0.offset < start ? $0.element : ~$0.element })
    }
}

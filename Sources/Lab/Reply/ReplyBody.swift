package import NIOCore

/// The bytes of a reply, readable at any offset.
package struct ReplyBody: Sendable {
    private enum Source {
        case bytes(ByteBuffer)
        case file(ServedFile)
    }

    /// So many bytes of a changed file are as they were: whoever looks at its signature takes it for what it was.
    package static let unchangedPrefix = 32
    package static let empty = bytes(ByteBuffer())

    private let source: Source
    /// Which bytes of the source.
    private var part: Range<Int>
    private var isChanged = false

    package static func bytes(_ bytes: ByteBuffer) -> ReplyBody {
        ReplyBody(source: .bytes(bytes), part: 0..<bytes.readableBytes)
    }

    package static func file(_ file: ServedFile) -> ReplyBody {
        ReplyBody(source: .file(file), part: 0..<file.size)
    }

    /// In bytes.
    package var count: Int { part.count }

    /// The bytes at `range` of this body, which has them.
    package func part(_ range: Range<Int>) -> ReplyBody {
        var body = self
        body.part = part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound
        return body
    }

    /// The body of a file that was overwritten: as long, and past ``unchangedPrefix`` every bit is the opposite one, so
    /// that a piece of the one among pieces of the other shows.
    package var changed: ReplyBody {
        var body = self
        body.isChanged = true
        return body
    }

    /// Up to `limit` bytes from `offset` on; past the end the body begins again. `nil` where the bytes are gone (a file
    /// that shrank) or never were (an empty body).
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

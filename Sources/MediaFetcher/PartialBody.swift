import LinuxIO
import MediaHeaders
import NotificationModel

/// The first bytes of a download that is still running.
struct PartialBody: Sendable {
    /// The maximum number of bytes that are copied from the beginning of a file. A 4K key frame is smaller.
    private static let maxCopied = 4 << 20
    private static let chunk = 256 << 10

    let body: ArrivingMedia.Body
    let byteCount: Int

    /// Returns the largest of the arriving files; `nil` if all are empty.
    static func largest(of arriving: ArrivingMedia) -> PartialBody? {
        let parts = arriving.bodies.map { body in
            PartialBody(body: body, byteCount: (try? FileSystem.size(of: body.file)) ?? 0)
        }
        return parts.max { $0.byteCount < $1.byteCount }.flatMap { $0.byteCount > 0 ? $0 : nil }
    }

    /// The bytes that have arrived. Requests share one job for them, even if more bytes arrive between the requests.
    var media: FetchedMedia { media(in: body.file, byteCount: byteCount) }

    /// An index after the frames, of which at least one byte has not arrived.
    struct MissingIndex: Equatable {
        /// The offset of the first byte after the frames.
        var start: Int
        /// The offset of the first byte that has not arrived. The offset is not less than `start`.
        var firstMissing: Int
    }

    /// The missing index of an MP4 whose index is after its frames; `nil` for other files, or if all of it is there.
    var missingIndex: MissingIndex? {
        guard let prefix = bytes(at: 0, count: 4_096), let start = MP4Layout.offsetOfTail(prefix.span),
            start >= byteCount || isIndexCut(from: start)
        else { return nil }
        return MissingIndex(start: start, firstMissing: max(start, byteCount))
    }

    /// Returns whether the arrived bytes end before the end of the index, whose first box is at `start`.
    private func isIndexCut(from start: Int) -> Bool {
        var offset = start
        for _ in 0..<16 {
            guard let header = bytes(at: offset, count: MP4Layout.headerBytes), header.count >= 8 else { return true }
            // The file has no box at this offset, so a request for the rest would not return an index.
            guard let box = MP4Layout.box(header.span) else { return header.count < MP4Layout.headerBytes }
            guard let size = box.size, size <= byteCount - offset else { return true }
            if box.isIndex { return false }
            offset += size
        }
        return false
    }

    /// Returns at most `count` of the bytes that have arrived; `nil` if they cannot be read.
    private func bytes(at offset: Int, count: Int) -> [UInt8]? {
        try? FileSystem.bytes(of: body.file, at: offset, count: max(0, min(count, byteCount - offset)))
    }

    /// Writes the first bytes and the index into an empty file, with a hole between them. `tail` begins with the first
    /// missing byte of the index. The result is `nil` if its length is not the announced one, or after an error.
    func joined(with tail: FetchedMedia, as index: MissingIndex, in file: MediaFile?) -> FetchedMedia? {
        let length = index.firstMissing + tail.byteCount
        guard let file, length == body.version?.completeLength ?? length else { return nil }
        do throws(SystemError) {
            try copy(body.file, 0..<min(byteCount, Self.maxCopied), to: file, at: 0)
            try copy(body.file, index.start..<index.firstMissing, to: file, at: index.start)
            try copy(tail.file, 0..<tail.byteCount, to: file, at: index.firstMissing)
            return media(in: file, byteCount: length)
        } catch {
            return nil
        }
    }

    private func media(in file: MediaFile, byteCount: Int) -> FetchedMedia {
        var media = FetchedMedia(file: file, byteCount: byteCount, declaredType: nil, identity: body.identity)
        media.isPart = true
        return media
    }

    private func copy(
        _ source: MediaFile, _ range: Range<Int>, to target: MediaFile, at offset: Int
    ) throws(SystemError) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.chunk) {
            let bytes = try FileSystem.bytes(of: source, at: start, count: min(Self.chunk, range.upperBound - start))
            try unsafe bytes.span.withUnsafeBytes { bytes throws(SystemError) in
                try unsafe FileSystem.write(bytes, to: target, at: offset + start - range.lowerBound)
            }
        }
    }
}

import LinuxIO
import MediaHeaders
import NotificationModel

/// The first bytes of a download that has not ended.
struct PartialBody: Sendable {
    /// Bytes of a file that is copied: a key frame of 4K is smaller.
    private static let mostCopied = 4 << 20
    private static let chunk = 256 << 10

    let body: ArrivingMedia.Body
    let byteCount: Int

    /// The largest of the files; `nil` if no byte is in any.
    static func largest(of arriving: ArrivingMedia) -> PartialBody? {
        let parts = arriving.bodies.map { body in
            PartialBody(body: body, byteCount: (try? FileSystem.size(of: body.file)) ?? 0)
        }
        return parts.max { $0.byteCount < $1.byteCount }.flatMap { $0.byteCount > 0 ? $0 : nil }
    }

    /// The bytes so far. Requests for the same download share one job, even if more bytes arrive in between.
    var media: FetchedMedia { media(in: body.file, byteCount: byteCount) }

    /// The offset of the index of an MP4 that has its index behind the frames, if the index has not arrived.
    var offsetOfTail: Int? {
        guard let prefix = try? FileSystem.bytes(of: body.file, at: 0, count: 4_096),
            let offset = MP4Layout.offsetOfTail(prefix.span), offset >= byteCount
        else { return nil }
        return offset
    }

    /// Writes the first bytes and the index into one file, with a hole between them.
    ///
    /// - Parameter file: empty.
    func joined(with tail: FetchedMedia, at offset: Int, in file: MediaFile?) -> FetchedMedia? {
        guard let file else { return nil }
        do throws(SystemError) {
            try copy(body.file, 0..<min(byteCount, Self.mostCopied), to: file, at: 0)
            try copy(tail.file, 0..<tail.byteCount, to: file, at: offset)
            return media(in: file, byteCount: offset + tail.byteCount)
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

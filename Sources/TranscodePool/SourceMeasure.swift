import LinuxIO
import MediaHeaders
import MediaTypes
import NotificationModel

/// The properties of a source from which the cost of its renditions is estimated.
struct SourceMeasure: Equatable {
    /// The container of the source. Formats of one container take the same time.
    var format: MediaFormat
    /// The number of pixels; `nil` if the first bytes do not contain it.
    var pixels: Int?
    var byteCount: Int
}

extension SourceMeasure {
    /// The largest number of bytes that are read for the size of an image. The size in a JPEG comes after its metadata.
    private static let headerBytes = 128 << 10

    /// Reads the first bytes of a file.
    init(_ media: FetchedMedia, as format: MediaFormat) {
        let prefix = try? FileSystem.bytes(of: media.file, at: 0, count: min(media.byteCount, Self.headerBytes))
        self.init(format: format, pixels: prefix.flatMap { Self.pixels($0, format) }, byteCount: media.byteCount)
    }

    private static func pixels(_ bytes: [UInt8], _ format: MediaFormat) -> Int? {
        let size: PixelSize? =
            switch format {
            case .jpeg: (try? JPEGHeader(bytes.span)).map { PixelSize(width: $0.width, height: $0.height) }
            case .png: (try? PNGHeader(bytes.span)).map { PixelSize(width: $0.width, height: $0.height) }
            case .webp: (try? WebPHeader(bytes.span)).map { PixelSize(width: $0.width, height: $0.height) }
            default: nil
            }
        return size.map { Int(truncatingIfNeeded: $0.pixels) }
    }
}

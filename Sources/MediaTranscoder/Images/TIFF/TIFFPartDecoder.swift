import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Decodes single strips or tiles of a TIFF with FFmpeg's decoder, each as the only one of a file.
struct TIFFPartDecoder: ~Copyable {
    private let header: TIFFHeader
    private let decoder: Decoder

    init(_ header: TIFFHeader, limits: DecodeLimits) throws(TranscodeFailure) {
        self.header = header
        decoder = try Decoder.open(AV_CODEC_ID_TIFF, mostPixels: limits.decodedBytes)
    }

    /// - Parameter part: of the first plane; those of the others follow below it.
    /// - Returns: the pixels, or their samples as grey where the header's samples are assembled.
    func picture(of source: borrowing MappedInput, part: Int) throws(TranscodeFailure) -> Frame {
        guard let file = header.partFile else { throw TranscodeFailure(.internalFault, "a TIFF without parts") }
        let (parts, samples) = (header.parts, header.samples)
        let planes = samples.isPlanar ? samples.count : 1
        let ranges = (0..<planes).map { parts.ranges[$0 * parts.columns * parts.rows + part] }
        var (width, rows) = (parts.width, parts.isTiled ? parts.height : header.place(ofPart: part).rows.count)
        if let luma = samples.luma {
            (width, rows) = (luma.bytes(width: width, height: 1), (rows - 1) / luma.down + 1)
        } else if samples.isAssembled, !samples.isPlanar {
            width *= samples.count
        }
        let height = samples.isAssembled ? rows * planes : rows
        let head = file.head(width: width, height: height, rows: rows, strips: ranges.map(\.count))
        decoder.reset()
        let frame = try decoder.picture(of: Packet.of(source, openedBy: head, ranges: ranges))
        guard frame.width == width, frame.height == height, frame.pixelFormat.isKnown else {
            throw TranscodeFailure(.corrupt, "the decoder returned no pixels")
        }
        return frame
    }
}

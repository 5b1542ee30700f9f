import MediaHeaders
import TranscodeProtocol

/// Decodes a strip or tile of a TIFF that is a JPEG, whose tables may be elsewhere in the file (Adobe's TIFF Technical
/// Note 2).
enum TIFFJPEG {
    private static let startOfImage: [UInt8] = [0xFF, 0xD8]

    static func picture(
        _ source: borrowing MappedInput, _ header: TIFFHeader, part: Int, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let (range, tables) = (header.parts.ranges[part], header.jpegTables)
        guard range.count > 2, source.withBytes({ $0[range.lowerBound] == 0xFF && $0[range.lowerBound + 1] == 0xD8 })
        else { throw TranscodeFailure(.corrupt, "TIFF: a JPEG without its start") }
        // The tables are a JPEG of their own, with a start and an end.
        let shared = tables.flatMap { $0.count > 4 ? [$0.lowerBound + 2..<$0.upperBound - 2] : nil } ?? []
        let packet = try Packet.of(
            source, openedBy: startOfImage + colourMarker(header.colorModel),
            ranges: shared + [range.lowerBound + 2..<range.upperBound])
        return try packet.withBytes { bytes throws(TranscodeFailure) in
            let facts = try ImageInspection.inspect(bytes, as: .jpeg, limits: limits)
            guard facts.jpeg?.components.count == header.samples.count, facts.size.width <= header.parts.width,
                facts.size.height <= header.parts.height
            else { throw TranscodeFailure(.corrupt, "TIFF: a JPEG does not agree with the file") }
            guard facts.memory.bytes().addedOrMax(header.decodedBytes) <= DecodeMemory.mostBytes else {
                throw TranscodeFailure(
                    .tooManyPixels, "TIFF: a JPEG of \(facts.codedSize) is more than a worker can decode")
            }
            return try TurboDecoder.make().picture(bytes, halvings: 0)
        }
    }

    /// Adobe's marker, which says whether the colours are YCbCr. The file says so, and its JPEGs mostly do not.
    private static func colourMarker(_ model: TIFFHeader.ColorModel) -> [UInt8] {
        guard model != .grey else { return [] }
        return [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, model == .yCbCr ? 1 : 0]
    }
}

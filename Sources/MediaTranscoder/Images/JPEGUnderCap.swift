import CFFmpeg
import MediaTypes
import TranscodeProtocol

/// The best JPEG of an image that fits a cap in bytes. Its quality may be lower than wanted, or its size may be
/// smaller. Transparent parts are white.
struct JPEGUnderCap: ~Copyable {
    let packet: Packet
    let size: PixelSize

    /// Makes a JPEG within the cap.
    ///
    /// - Throws: `tooLarge` if no JPEG that is large enough to be useful fits the cap.
    static func make(
        _ image: borrowing ScaledImage, quality: Int, mostBytes: UInt64
    ) throws(TranscodeFailure) -> JPEGUnderCap {
        var photo = try ImageEncoding.photo(image)
        let encoder = try TurboEncoder.make()
        var search = SizeCapSearch(mostBytes: mostBytes, quality: quality)
        var fitting: Packet?
        while true {
            let packet = try encoder.jpeg(photo.frame, quality: search.quality)
            let count = packet.byteCount
            if UInt64(count) <= mostBytes { fitting = consume packet }
            switch search.attempt(bytes: count, longestSide: photo.size.longestSide) {
            case .quality: break
            case .shrink(let factor):
                let side = Int(Double(photo.size.longestSide) * factor)
                photo = try photo.reduced(to: photo.size.fitting(longestSide: max(SizeCapSearch.leastSide, side)))
            case .done:
                guard let packet = fitting.take() else {
                    throw TranscodeFailure(.internalFault, "the search ended without a JPEG that fits")
                }
                return JPEGUnderCap(packet: packet, size: photo.size)
            case .impossible: throw TranscodeFailure(.tooLarge, "no JPEG of the image fits into \(mostBytes) bytes")
            }
        }
    }
}

import CFFmpeg
import TranscodeProtocol

/// The decoding of a sound file's cover image.
enum SoundCover {
    /// Decodes the first cover of a file, or returns `nil` if the file has none.
    static func image(_ demuxer: borrowing Demuxer, limits: DecodeLimits) throws(TranscodeFailure) -> Frame? {
        for index in 0..<demuxer.streamCount {
            guard let stream = demuxer.stream(index), stream.isVideo, stream.isCover else { continue }
            let decoder = try Decoder.open(stream, mostPixels: limits.decodedBytes / 4)
            return try decoder.image(of: stream.coverPacket())
        }
        return nil
    }
}

extension MediaStream {
    /// Returns a reference to the packet with the cover.
    fileprivate func coverPacket() throws(TranscodeFailure) -> Packet {
        let packet = try Packet.make()
        try FFmpegStatus.check(unsafe av_packet_ref(packet.pointer, &pointer.pointee.attached_pic), "cover")
        return packet
    }
}

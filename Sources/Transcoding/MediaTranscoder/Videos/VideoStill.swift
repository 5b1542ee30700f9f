import CFFmpeg
import Glibc
import TranscodeProtocol

/// The decoding of one key frame of a video. A key frame is decoded without other frames.
enum VideoStill {
    /// The number of key frames that are tried until one is not almost black.
    private static let maxAttempts = 4
    /// The number of packets that are decoded for one frame. Fields come as two packets, and keys may be marked early.
    private static let maxPackets = 64

    /// Decodes a key frame.
    ///
    /// - Parameter video: The stream's index.
    /// - Parameter milliseconds: The time of the frame. The key frame at or before it is decoded. `nil` means the first
    ///   shown key frame that is not almost black, or the brightest of the first few key frames.
    static func decode(
        _ demuxer: borrowing Demuxer, video: Int, at milliseconds: UInt32?, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        guard let stream = demuxer.stream(video) else { throw .internalFault("the video stream is missing") }
        demuxer.readOnly([video])
        let decoder = try Decoder.open(stream, maxPixels: VideoFacts.maxPixels(limits))
        if let milliseconds {
            let time = av_rescale(
                Int64(milliseconds), Int64(stream.timeBase.den), max(1, Int64(stream.timeBase.num) * 1_000))
            // There is no key frame before an early time, so the first one is decoded.
            if !demuxer.seek(video, to: time) { _ = demuxer.seek(video, to: 0) }
            return try keyFrame(demuxer, decoder: decoder, stream: video)
        }
        var best = try firstKeyFrame(demuxer, decoder: decoder, stream: stream, at: video)
        guard var brightness = FrameBrightness.meanLuma(best), brightness < FrameBrightness.dark else { return best }
        for _ in 1..<maxAttempts where brightness < FrameBrightness.dark {
            decoder.reset()
            // A later key frame may be damaged, or may not have been downloaded yet.
            guard let next = try? keyFrame(demuxer, decoder: decoder, stream: video) else { break }
            guard let found = FrameBrightness.meanLuma(next), found > brightness else { continue }
            brightness = found
            best = next
        }
        return best
    }

    /// Decodes the first key frame that is shown, or a hidden key frame if the edit list shows no key frame.
    private static func firstKeyFrame(
        _ demuxer: borrowing Demuxer, decoder: borrowing Decoder, stream: MediaStream, at index: Int
    ) throws(TranscodeFailure) -> Frame {
        guard stream.hidesBeginning else { return try keyFrame(demuxer, decoder: decoder, stream: index) }
        if let shown = try? keyFrame(demuxer, decoder: decoder, stream: index, isShown: true) { return shown }
        decoder.reset()
        _ = demuxer.seek(index, to: 0)
        return try keyFrame(demuxer, decoder: decoder, stream: index)
    }

    /// Decodes the next key frame.
    ///
    /// - Parameter isShown: Whether key frames that the edit list hides are skipped.
    private static func keyFrame(
        _ demuxer: borrowing Demuxer, decoder: borrowing Decoder, stream: Int, isShown: Bool = false
    ) throws(TranscodeFailure) -> Frame {
        let packet = try Packet.make()
        let frame = try Frame.make()
        var fed = 0
        while fed < maxPackets, try demuxer.read(into: packet) {
            guard Int(packet.streamIndex) == stream, packet.isKey || fed > 0 else { continue }
            if isShown, fed == 0, packet.isHidden { continue }
            packet.show()
            _ = try decoder.send(packet)
            fed += 1
            if fed == 1 {
                // At the end of its input, the decoder returns the frame that it would otherwise hold back.
                try decoder.finish()
                if try decoder.receive(into: frame) { return try intact(frame) }
                decoder.reset()
                _ = try decoder.send(packet)
            } else if try decoder.receive(into: frame) {
                return try intact(frame)
            }
        }
        try decoder.finish()
        guard fed > 0, try decoder.receive(into: frame) else {
            throw .corrupt("the decoder returned no frame of the video")
        }
        return try intact(frame)
    }

    private static func intact(_ frame: consuming Frame) throws(TranscodeFailure) -> Frame {
        guard !frame.isDamaged else { throw .corrupt("the frame of the video is damaged") }
        return frame
    }
}

/// The brightness of a frame. The brightness is used to skip the first frames of videos that fade in.
enum FrameBrightness {
    /// The mean luma below which an image shows almost nothing on a phone. Black has 16, a night scene more than 35.
    static let dark = 32
    /// The distance between sampled rows and columns. Every 16th sample of every 16th row is enough.
    private static let step = 16

    /// Returns the mean luma, 0…255. Samples of more than 8 bits count with their upper 8 bits.
    ///
    /// - Returns: `nil` for layouts without luma in the first plane, and for big-endian samples.
    static func meanLuma(_ frame: borrowing Frame) -> Int? {
        let format = PixelFormat(frame.format)
        let bytes = format.depth > 8 ? 2 : 1
        guard format.isColorDifference, !format.isBigEndian, format.depth >= 8,
            format.planeSize(0, width: frame.width, height: frame.height).rowBytes == frame.width * bytes
        else { return nil }
        let (width, height, stride) = (frame.width, frame.height, frame.stride(0))
        return frame.withPlane(0) { luma in
            var sum = 0
            var count = 0
            for row in Swift.stride(from: 0, to: height, by: step) {
                for column in Swift.stride(from: 0, to: width, by: step) {
                    let place = row * stride + column * bytes
                    sum +=
                        bytes == 1
                        ? Int(luma[place]) : (Int(luma[place]) | Int(luma[place + 1]) << 8) >> (format.depth - 8)
                    count += 1
                }
            }
            return sum / max(1, count)
        }
    }
}

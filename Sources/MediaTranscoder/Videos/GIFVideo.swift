import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Makes an H.264 video of an animated GIF that is too large to stay one: each picture at its time, over white.
enum GIFVideo {
    /// The hundredths of a second that GIF counts its delays in.
    private static let timeBase = AVRational(num: 1, den: 100)

    static func write(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32,
        limits: DecodeLimits, clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport {
        try VideoEncoding.fitting { share throws(TranscodeFailure) in
            try write(
                source, facts: facts, order: order, output: output, limits: limits, share: share, clock: &clock)
        }
    }

    private static func write(
        _ source: borrowing MappedInput, facts: ImageFacts, order: RenditionSpec, output: Int32,
        limits: DecodeLimits, share: Double, clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport {
        // The whole frames of a file that is cut.
        let demuxer = try Demuxer.open(source, as: .gif, upTo: facts.kept?.ranges.last?.upperBound)
        guard let stream = demuxer.stream(0) else { throw TranscodeFailure(.corrupt, "GIF: no picture in it") }
        let decoder = try Decoder.open(stream, mostPixels: limits.decodedBytes / 4)
        let file = try OutputFile(output, mostBytes: order.videoBytes)
        let size = facts.size.fitting(longestSide: Int(order.videoSide)).even
        let duration = facts.durationMilliseconds.flatMap { $0 > 0 ? UInt64($0) : nil }
        var writer = try VideoWriter.open(
            VideoEncoding(
                size: size, timeBase: timeBase, frameRate: AVRational(num: 0, den: 1),
                limit: try RateLimit.fitting(
                    bytes: order.videoBytes, milliseconds: duration, audio: 0, share: share),
                holdsBackFrames: false, matrix: AVCOL_SPC_SMPTE170M, primaries: AVCOL_PRI_UNSPECIFIED,
                transfer: AVCOL_TRC_UNSPECIFIED),
            audio: nil, file: file, limits: limits)
        let packet = try Packet.make()
        let frame = try Frame.make()
        var background = GIFBackgroundRemoval()
        var isReading = true
        var frames = 0
        while isReading {
            isReading = frames < facts.frames ? try demuxer.read(into: packet) : false
            frames += 1
            if isReading, facts.isPartlyUncovered {
                try packet.replace(with: packet.withBytes { background.frame($0) })
            }
            try clock.measure(.decode) { () throws(TranscodeFailure) in
                if isReading { _ = try decoder.send(packet) } else { try decoder.finish() }
            }
            while try clock.measure(.decode, { () throws(TranscodeFailure) in try decoder.receive(into: frame) }) {
                let time = frame.bestTime
                let scaled = try clock.measure(.scale) { () throws(TranscodeFailure) in
                    try videoFrame(of: frame, size: size)
                }
                try clock.measure(.encode) { () throws(TranscodeFailure) in
                    try writer.write(scaled, at: time, duration: frame.duration)
                }
            }
        }
        try clock.measure(.encode) { () throws(TranscodeFailure) in try writer.finish() }
        return writer.report(order, size)
    }

    private static func videoFrame(
        of frame: borrowing Frame, size: PixelSize
    ) throws(TranscodeFailure) -> Frame {
        let picture = try ImageScaling.scale(frame, to: size)
        AlphaPlanes.layOverWhite(picture.frame)
        var shape = picture.frame.shape
        shape.format = AV_PIX_FMT_GBRP
        let target = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
        let converter = try Scaler.make(
            from: shape,
            to: .init(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P, isFullRange: false),
            quality: .still)
        try converter.scale(picture.frame, into: target)
        return target
    }
}

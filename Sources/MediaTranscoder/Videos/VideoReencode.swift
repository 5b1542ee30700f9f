import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Encodes a video again: its frames are decoded, scaled, turned upright and encoded as H.264, with its sound.
enum VideoReencode {
    static func write(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits,
        clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport {
        try VideoEncoding.fitting { share throws(TranscodeFailure) in
            try write(
                source, facts: facts, order: order, output: output, limits: limits, share: share, clock: &clock)
        }
    }

    private static func write(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits,
        share: Double, clock: inout StageClock
    ) throws(TranscodeFailure) -> RenditionReport {
        let demuxer = try Demuxer.open(source, as: facts.format)
        guard let stream = demuxer.stream(facts.video) else {
            throw TranscodeFailure(.internalFault, "the video stream is gone")
        }
        demuxer.readOnly([facts.video] + [facts.audio].compactMap { $0 })
        let file = try OutputFile(output, mostBytes: order.videoBytes)
        let decoder = try Decoder.open(stream, mostPixels: VideoFacts.mostPixels(limits))
        let size = facts.uprightSize.fitting(longestSide: Int(order.videoSide)).even
        let audio = facts.audio.flatMap { demuxer.stream($0) }
        var writer = try VideoWriter.open(
            try encoding(of: stream, facts: facts, size: size, order: order, share: share), audio: audio, file: file,
            limits: limits)
        var scaling = VideoScaling(size: size.turned(facts.orientation), orientation: facts.orientation)

        let packet = try Packet.make()
        let frame = try Frame.make()
        var isReading = true
        var decoded = 0
        while isReading {
            isReading = try demuxer.read(into: packet)
            if isReading, Int(packet.streamIndex) == facts.audio {
                try writer.writeSound(packet)
                continue
            }
            // Cover pictures come along even when their stream is left out.
            guard !isReading || Int(packet.streamIndex) == facts.video else { continue }
            try clock.measure(.decode) { () throws(TranscodeFailure) in
                if isReading { _ = try decoder.send(packet) } else { try decoder.finish() }
            }
            while try clock.measure(.decode, { () throws(TranscodeFailure) in try decoder.receive(into: frame) }) {
                guard !frame.isDamaged else { throw TranscodeFailure(.corrupt, "a damaged picture in the video") }
                decoded += 1
                // An AVI has its frames at even times, and says none but the sequence in which they are stored.
                let time = facts.format == .avi ? Int64(writer.frames) : frame.bestTime
                let scaled = try clock.measure(.scale) { () throws(TranscodeFailure) in try scaling.scale(frame) }
                try clock.measure(.encode) { () throws(TranscodeFailure) in
                    try writer.write(
                        scaled, at: time == agd_no_pts ? writer.endTime : time, duration: frame.duration)
                }
            }
        }
        try clock.measure(.encode) { () throws(TranscodeFailure) in try writer.finish() }
        var report = writer.report(order, size)
        report.source = facts.source
        report.source?.frames = UInt32(clamping: decoded)
        if writer.isSoundCut { report.source?.soundOmission = .cut }
        return report
    }

    private static func encoding(
        of stream: MediaStream, facts: VideoFacts, size: PixelSize, order: RenditionSpec, share: Double
    ) throws(TranscodeFailure) -> VideoEncoding {
        VideoEncoding(
            size: size, timeBase: stream.timeBase, frameRate: stream.averageFrameRate,
            limit: try RateLimit.fitting(
                bytes: order.videoBytes, milliseconds: facts.durationMilliseconds, audio: facts.audioBitRate,
                share: share),
            matrix: unsafe stream.parameters.pointee.color_space,
            primaries: unsafe stream.parameters.pointee.color_primaries,
            transfer: unsafe stream.parameters.pointee.color_trc)
    }
}

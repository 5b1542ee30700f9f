import CFFmpeg
import LinuxIO
import TranscodeProtocol

/// The re-encoding of a video. Its frames are decoded, scaled, rotated to be upright, placed at even times and encoded
/// as H.264, with its sound. The preset and the plan depend on the available time and bytes.
enum VideoReencode {
    enum Attempt {
        case made(RenditionReport)
        case tooLarge(TranscodeFailure)
        /// The encoding would end after the deadline. The value is its estimated whole time, in microseconds.
        case late(Double)
    }

    /// The largest number of encodings of one video with fewer bytes each.
    private static let maxTries = 3

    /// Encodes the video with the best preset and plan.
    ///
    /// - Returns: `nil` if there is not enough time.
    static func write(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits,
        clock: inout StageClock, time: inout TimeAllowance
    ) throws(TranscodeFailure) -> RenditionReport? {
        var plan = VideoPlan.fitting(order, facts, share: 1, isLastTry: false)
        let left = time.forVideo(at: MonotonicClock.microseconds)
        let ordered = facts.cost(of: plan, preset: .veryfast)
        let best = VideoPreset.allCases.first { facts.cost(of: plan, preset: $0) <= left }
        time.cost = TranscodeCost(
            estimated: ordered, least: min(ordered, facts.stillCost),
            made: best.map { facts.cost(of: plan, preset: $0) })
        guard var preset = best else { return nil }
        var tries = 1
        while true {
            let attempt = try attempt(
                source, facts: facts, plan: plan, preset: preset, order: order, output: output, limits: limits,
                clock: &clock, deadline: time.deadline)
            switch attempt {
            case .made(let report): return report
            case .tooLarge(let failure):
                tries += 1
                guard tries <= maxTries else { throw failure }
                plan = VideoPlan.fitting(order, facts, share: 0.5, isLastTry: tries == maxTries)
            case .late(let whole):
                guard let faster = preset.faster, let deadline = time.deadline else { return nil }
                let needed = whole * facts.cost(of: plan, preset: faster) / facts.cost(of: plan, preset: preset)
                guard Double(MonotonicClock.microseconds) + needed <= Double(deadline) else { return nil }
                preset = faster
            }
            // The estimate was for another encoding.
            time.cost?.made = nil
        }
    }

    /// Encodes the video once.
    ///
    /// - Parameter deadline: The deadline, in microseconds of `MonotonicClock`; `nil` means no limit.
    static func attempt(
        _ source: borrowing MappedInput, facts: VideoFacts, plan: VideoPlan, preset: VideoPreset, order: RenditionSpec,
        output: Int32, limits: DecodeLimits, clock: inout StageClock, deadline: UInt64?
    ) throws(TranscodeFailure) -> Attempt {
        let demuxer = try Demuxer.open(source, as: facts.format)
        guard let stream = demuxer.stream(facts.video) else { throw .internalFault("the video stream is missing") }
        demuxer.readOnly([facts.video] + [facts.audio].compactMap { $0 })
        let file = try OutputFile(output, maxBytes: order.videoBytes)
        let decoder = try Decoder.open(stream, maxPixels: VideoFacts.maxPixels(limits))
        do throws(TranscodeFailure) {
            let writer = try VideoWriter.open(
                encoding(of: stream, facts: facts, plan: plan, preset: preset), of: facts.format,
                audio: facts.audio.flatMap { demuxer.stream($0) },
                soundBitRate: plan.soundBitRate, file: file, limits: limits)
            var frames = SteadyFrames(
                writer, facts: facts, plan: plan, maxBytes: order.videoBytes, limits: limits,
                progress: EncodingProgress(facts.durationMilliseconds, deadline: deadline))
            let packet = try Packet.make()
            let frame = try Frame.make()
            var line = TimeLine(of: facts.format)
            var damagedVideo = try DamagedVideo(facts, source)
            var isReading = true
            while isReading, !frames.isCut, frames.late == nil {
                do throws(TranscodeFailure) {
                    isReading = try damagedVideo.read(demuxer, into: packet)
                    if isReading, let stream = facts.shownStream(of: packet, in: demuxer) {
                        line.place(packet, of: stream)
                    }
                    guard !isReading || damagedVideo.count(packet) else { continue }
                    if isReading, Int(packet.streamIndex) == facts.audio {
                        try frames.writeSound(packet)
                        continue
                    }
                    // The demuxer returns cover images even if their stream is discarded.
                    guard !isReading || Int(packet.streamIndex) == facts.video else { continue }
                    if isReading { frames.expect(packet) }
                    try clock.measure(.decode) { () throws(TranscodeFailure) in
                        if isReading { _ = try decoder.send(packet) } else { try decoder.finish() }
                    }
                    while !frames.isCut, frames.late == nil,
                        try clock.measure(.decode, decoder.receive(into: frame))
                    {
                        guard !frame.isDamaged else { throw .corrupt("a frame of the video is damaged") }
                        try frames.write(frame, of: stream, clock: &clock)
                    }
                } catch {
                    isReading = false
                    // Damage after the last frame that fits has no effect on the result.
                    if frames.isFull { frames.isCut = true } else { try damagedVideo.end(by: error) }
                }
            }
            if let whole = frames.late { return .late(whole) }
            try clock.measure(.encode, frames.finish())
            if let whole = frames.late { return .late(whole) }
            return .made(try frames.report(order, damagedVideo, hasJumped: line.hasJumped))
        } catch {
            guard error.code == .tooLarge, file.isTooLarge else { throw error }
            return .tooLarge(error)
        }
    }

    private static func encoding(
        of stream: MediaStream, facts: VideoFacts, plan: VideoPlan, preset: VideoPreset
    ) -> VideoEncoding {
        VideoEncoding(
            size: plan.size, timeBase: AVRational(num: plan.frameRate.den, den: plan.frameRate.num),
            frameRate: plan.frameRate, limit: plan.limit, preset: preset,
            colors: facts.hasHighDynamicRange ? .bt709 : facts.colors ?? VideoColors(stream))
    }
}

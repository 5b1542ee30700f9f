import CFFmpeg
import TranscodeProtocol

/// A transcoder that decodes an audio stream, resamples it to a format for AAC, and encodes it.
struct SoundEncoding: ~Copyable {
    let encoder: Encoder
    private let decoder: Decoder
    private let format: SoundFormat
    private let inputTimeBase: AVRational
    private let queue: SampleQueue
    private let frame: Frame
    private let packet: Packet
    private var resampler: Resampler?
    /// The format of the last decoded frame; `nil` before the first one.
    private var decoded: DecodedForm?
    private let pauses: CodedPauses
    /// The largest number of samples. The number limits sounds whose headers state a wrong duration.
    private let maxSamples: Int64
    private var sampleCount: Int64 = 0
    /// The time of the next samples, counted in samples; `nil` before the first one.
    private var time: Int64?
    /// Whether the samples keep the times of their packets, because a video is shown with them.
    private let keepsTimes: Bool

    /// The longest gap that is not filled with silence, in milliseconds. Viewers notice sound that is 45 ms early
    /// (ITU-R BT.1359-1), but the WMA decoder delays a frame by up to 64 ms.
    private static let maxEarly: Int64 = 70
    /// The longest overlap that is accepted, in milliseconds. Samples that would be later are dropped. Viewers notice
    /// sound that is 125 ms late (ITU-R BT.1359-1).
    private static let maxLate: Int64 = 125

    private struct DecodedForm: Equatable {
        let samples: Int32
        let rate: Int32
        let channels: Int32

        init(_ frame: borrowing Frame) {
            samples = unsafe frame.pointer.pointee.format
            rate = unsafe frame.pointer.pointee.sample_rate
            channels = unsafe frame.pointer.pointee.ch_layout.nb_channels
        }
    }

    /// Opens the decoder and the encoder.
    ///
    /// - Parameter keepsTimes: Whether gaps between the packets are filled with silence.
    /// - Throws: `unsupported` for a codec that is not decoded.
    static func open(
        _ stream: MediaStream, bitRate: Int64, keepsTimes: Bool, limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundEncoding {
        guard SoundFormat.sources.contains(stream.sampleRate) else {
            throw .unsupported("sound of \(stream.sampleRate) samples a second")
        }
        let format = SoundFormat(encoding: stream)
        // The sound of a video may end a little after its last frame.
        let maxMilliseconds = Int64(clamping: limits.durationMilliseconds) + 1_000
        return SoundEncoding(
            encoder: try Encoder.openSound(format, bitRate: bitRate), decoder: try Decoder.open(stream, maxPixels: 1),
            format: format, inputTimeBase: stream.timeBase, queue: try SampleQueue.make(of: format),
            frame: try Frame.make(), packet: try Packet.make(), pauses: CodedPauses(of: stream),
            maxSamples: av_rescale(maxMilliseconds, Int64(format.sampleRate), 1_000), keepsTimes: keepsTimes)
    }

    /// Encodes the samples of a packet. A packet that cannot be decoded is skipped.
    mutating func encode(
        _ input: borrowing Packet, into muxer: borrowing Muxer, track: Int32
    ) throws(TranscodeFailure) {
        do throws(TranscodeFailure) { _ = try decoder.send(input) } catch {
            if pauses.explain(error) { return try queue.appendSilence(pauses.sampleCount(in: format)) }
            guard error.code == .corrupt else { throw error }
            return
        }
        try takeDecoded(into: muxer, track: track)
        try encodeQueue(into: muxer, track: track, isLast: false)
    }

    mutating func finish(_ muxer: borrowing Muxer, track: Int32) throws(TranscodeFailure) {
        try decoder.finish()
        try takeDecoded(into: muxer, track: track)
        if let rest = try resampler?.rest() { try queue.append(rest) }
        try encodeQueue(into: muxer, track: track, isLast: true)
        try Self.blamingSamples(encoder.finish())
        try drain(into: muxer, track: track)
    }

    private mutating func takeDecoded(into muxer: borrowing Muxer, track: Int32) throws(TranscodeFailure) {
        while try decoder.receive(into: frame) {
            let form = DecodedForm(frame)
            if form != decoded {
                resampler = try Resampler.make(from: frame, to: format)
                decoded = form
            }
            if time == nil, frame.bestTime != agd_no_pts {
                time = av_rescale_q(frame.bestTime, inputTimeBase, timeBase)
            }
            let gap = gap(before: frame)
            if gap > samples(Self.maxEarly) { try fill(gap, into: muxer, track: track) }
            let first = gap < -samples(Self.maxLate) ? Int32(clamping: -gap) : 0
            if let samples = try resampler?.convert(frame) { try queue.append(samples, from: first) }
        }
    }

    /// Returns the number of samples from the end of the sound so far to a decoded frame; negative for an overlap.
    private func gap(before frame: borrowing Frame) -> Int64 {
        guard keepsTimes, let time, frame.bestTime != agd_no_pts else { return 0 }
        let start = av_rescale_q(frame.bestTime, inputTimeBase, timeBase)
        let end = time.addingReportingOverflow(Int64(queue.count)).partialValue
        let (gap, overflows) = start.subtractingReportingOverflow(end)
        return overflows || gap == .min ? 0 : gap
    }

    /// Encodes silence. A gap that would exceed the longest sound comes from a wrong time stamp and is not filled.
    private mutating func fill(_ gap: Int64, into muxer: borrowing Muxer, track: Int32) throws(TranscodeFailure) {
        guard gap <= maxSamples - sampleCount - Int64(queue.count) else { return }
        var rest = gap
        while rest > 0 {
            let count = Int32(min(rest, Int64(format.sampleRate)))
            try queue.appendSilence(count)
            try encodeQueue(into: muxer, track: track, isLast: false)
            rest -= Int64(count)
        }
    }

    private func samples(_ milliseconds: Int64) -> Int64 { milliseconds * Int64(format.sampleRate) / 1_000 }

    private mutating func encodeQueue(
        into muxer: borrowing Muxer, track: Int32, isLast: Bool
    ) throws(TranscodeFailure) {
        let size = unsafe encoder.pointer.pointee.frame_size
        while queue.count >= size || isLast && queue.count > 0 {
            let samples = try queue.take(size)
            let start = time ?? 0
            samples.presentationTime = start
            let count = Int64(unsafe samples.pointer.pointee.nb_samples)
            time = start.addingReportingOverflow(count).partialValue
            sampleCount += count
            guard sampleCount <= maxSamples else { throw .tooLarge("the sound is longer than its header says") }
            try Self.blamingSamples(encoder.send(samples))
            try drain(into: muxer, track: track)
        }
    }

    private func drain(into muxer: borrowing Muxer, track: Int32) throws(TranscodeFailure) {
        while try Self.blamingSamples(encoder.receive(into: packet)) {
            try muxer.write(packet, to: track, timeBase: timeBase)
        }
    }

    /// Runs `encode`, and blames an internal failure on the source: the encoder refuses infinite and NaN samples.
    private static func blamingSamples<Result>(
        _ encode: @autoclosure () throws(TranscodeFailure) -> Result
    ) throws(TranscodeFailure) -> Result {
        do throws(TranscodeFailure) {
            return try encode()
        } catch {
            guard error.code == .internalFault else { throw error }
            throw .corrupt("the samples cannot be encoded")
        }
    }

    private var timeBase: AVRational { AVRational(num: 1, den: format.sampleRate) }
}

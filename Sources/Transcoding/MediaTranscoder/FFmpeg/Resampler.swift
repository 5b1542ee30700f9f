import CFFmpeg
import TranscodeProtocol

/// The owner of an SwrContext, which converts decoded sound to one format.
@safe
struct Resampler: ~Copyable {
    private let pointer: OpaquePointer
    private let target: SoundFormat

    deinit {
        var freeing: OpaquePointer? = unsafe pointer
        unsafe swr_free(&freeing)
    }

    /// Creates a resampler for frames like this one.
    ///
    /// - Throws: `unsupported` for sound with no channel or more than eight, or with an unsupported sample rate.
    static func make(from frame: borrowing Frame, to target: SoundFormat) throws(TranscodeFailure) -> Resampler {
        let count = unsafe frame.pointer.pointee.ch_layout.nb_channels
        guard unsafe SoundFormat.sources.contains(frame.pointer.pointee.sample_rate) else {
            throw .unsupported("the sample rate of the sound is not supported")
        }
        guard (1...8).contains(count) else { throw .unsupported("sound of \(count) channels") }
        frame.nameChannels()
        var output = unsafe AVChannelLayout()
        unsafe av_channel_layout_default(&output, target.channels)
        var made: OpaquePointer?
        try FFmpegStatus.check(
            unsafe swr_alloc_set_opts2(
                &made, &output, SoundFormat.samples, target.sampleRate, &frame.pointer.pointee.ch_layout,
                AVSampleFormat(rawValue: frame.pointer.pointee.format), frame.pointer.pointee.sample_rate, 0, nil),
            "resampler")
        guard let made = unsafe made else { throw .noMemory("resampler") }
        let resampler = unsafe Resampler(pointer: made, target: target)
        try FFmpegStatus.checkReading(unsafe swr_init(made), "resampler")
        return resampler
    }

    func convert(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame {
        frame.nameChannels()
        return try unsafe convert(frame.pointer)
    }

    /// Returns the samples that the resampler still buffers after the last frame.
    func rest() throws(TranscodeFailure) -> Frame { try unsafe convert(nil) }

    private func convert(_ frame: UnsafeMutablePointer<AVFrame>?) throws(TranscodeFailure) -> Frame {
        let converted = try Frame.make()
        converted.become(target)
        try FFmpegStatus.checkReading(unsafe swr_convert_frame(pointer, converted.pointer, frame), "resampling")
        converted.clip()
        return converted
    }
}

extension Frame {
    /// Limits samples to -1…1, as loudspeakers do, and replaces NaN by silence. Without this, an encoder takes a second
    /// for each second of samples that are far outside this range.
    fileprivate func clip() {
        let count = Int(unsafe pointer.pointee.nb_samples)
        for channel in 0..<Int(unsafe pointer.pointee.ch_layout.nb_channels) {
            guard let plane = unsafe pointer.pointee.extended_data[channel], count > 0 else { continue }
            let samples = unsafe UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self)
            for index in 0..<count {
                let sample = unsafe samples[index]
                unsafe samples[index] = sample >= -1 ? min(sample, 1) : sample < -1 ? -1 : 0
            }
        }
    }

    /// Gives the channels their usual positions if the stream does not state them.
    fileprivate func nameChannels() {
        guard unsafe pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC else { return }
        unsafe av_channel_layout_default(&pointer.pointee.ch_layout, pointer.pointee.ch_layout.nb_channels)
    }
}

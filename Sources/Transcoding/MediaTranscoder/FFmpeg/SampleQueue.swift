import CFFmpeg
import TranscodeProtocol

/// The owner of an AVAudioFifo, which collects samples until an encoder's frame is full.
@safe
struct SampleQueue: ~Copyable {
    private let pointer: OpaquePointer
    private let format: SoundFormat

    deinit { unsafe av_audio_fifo_free(pointer) }

    static func make(of format: SoundFormat) throws(TranscodeFailure) -> SampleQueue {
        guard let made = unsafe av_audio_fifo_alloc(SoundFormat.samples, format.channels, 4_096) else {
            throw .noMemory("samples")
        }
        return unsafe SampleQueue(pointer: made, format: format)
    }

    /// The number of samples of each channel.
    var count: Int32 { unsafe av_audio_fifo_size(pointer) }

    /// Appends the samples of a frame.
    ///
    /// - Parameter first: The index of the first sample that is appended.
    func append(_ frame: borrowing Frame, from first: Int32 = 0) throws(TranscodeFailure) {
        let count = unsafe frame.pointer.pointee.nb_samples - first
        guard count > 0 else { return }
        let written = unsafe withPlanes(of: frame, from: first) { unsafe av_audio_fifo_write(pointer, $0, count) }
        guard written == count else { throw .noMemory("samples") }
    }

    /// Appends silence, as `count` samples of each channel.
    func appendSilence(_ count: Int32) throws(TranscodeFailure) {
        let frame = try Frame.make()
        frame.become(format)
        unsafe frame.pointer.pointee.nb_samples = count
        try FFmpegStatus.check(unsafe av_frame_get_buffer(frame.pointer, 0), "silence")
        unsafe av_samples_set_silence(
            frame.pointer.pointee.extended_data, 0, count, format.channels, SoundFormat.samples)
        try append(frame)
    }

    /// Removes and returns the first samples. The result has fewer than `count` samples if the queue is shorter.
    func take(_ count: Int32) throws(TranscodeFailure) -> Frame {
        let frame = try Frame.make()
        frame.become(format)
        unsafe frame.pointer.pointee.nb_samples = min(count, self.count)
        try FFmpegStatus.check(unsafe av_frame_get_buffer(frame.pointer, 0), "samples")
        let wanted = unsafe frame.pointer.pointee.nb_samples
        let taken = unsafe withPlanes(of: frame, from: 0) { unsafe av_audio_fifo_read(pointer, $0, wanted) }
        guard taken == wanted else { throw .internalFault("only \(taken) of \(wanted) samples read") }
        return frame
    }

    /// Calls `body` with pointers to a sample of each channel, in the form that FFmpeg's functions take.
    private func withPlanes(
        of frame: borrowing Frame, from first: Int32,
        _ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32
    ) -> Int32 {
        var planes = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: Int(format.channels))
        for channel in 0..<Int(format.channels) {
            let start = unsafe UnsafeMutableRawPointer(frame.pointer.pointee.extended_data[channel])
            unsafe planes[channel] = start.map { unsafe $0 + Int(first) * MemoryLayout<Float>.size }
        }
        return unsafe planes.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress) }
    }
}

extension Frame {
    /// Sets the format that a frame will have, before it gets samples.
    func become(_ format: SoundFormat) {
        unsafe pointer.pointee.format = SoundFormat.samples.rawValue
        unsafe pointer.pointee.sample_rate = format.sampleRate
        unsafe av_channel_layout_default(&pointer.pointee.ch_layout, format.channels)
    }
}

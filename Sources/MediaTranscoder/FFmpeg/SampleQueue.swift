import CFFmpeg
import TranscodeProtocol

/// Owns an AVAudioFifo: samples that wait until there are as many as an encoder takes at once.
@safe
struct SampleQueue: ~Copyable {
    private let pointer: OpaquePointer
    private let format: SoundFormat

    private init(_ pointer: OpaquePointer, format: SoundFormat) {
        unsafe self.pointer = pointer
        self.format = format
    }

    deinit {
        unsafe av_audio_fifo_free(pointer)
    }

    static func make(of format: SoundFormat) throws(TranscodeFailure) -> SampleQueue {
        guard let made = unsafe av_audio_fifo_alloc(SoundFormat.samples, format.channels, 4_096) else {
            throw FFmpegStatus.noMemory("samples")
        }
        return unsafe SampleQueue(made, format: format)
    }

    /// Samples of each channel.
    var count: Int32 { unsafe av_audio_fifo_size(pointer) }

    func append(_ frame: borrowing Frame) throws(TranscodeFailure) {
        let count = unsafe frame.pointer.pointee.nb_samples
        guard count > 0 else { return }
        let written = unsafe withPlanes(of: frame) { unsafe av_audio_fifo_write(pointer, $0, count) }
        guard written == count else { throw FFmpegStatus.noMemory("samples") }
    }

    /// Takes the first samples, at most as many as there are.
    func take(_ count: Int32) throws(TranscodeFailure) -> Frame {
        let frame = try Frame.make()
        frame.become(format)
        unsafe frame.pointer.pointee.nb_samples = min(count, self.count)
        try FFmpegStatus.check(unsafe av_frame_get_buffer(frame.pointer, 0), "samples")
        let wanted = unsafe frame.pointer.pointee.nb_samples
        let taken = unsafe withPlanes(of: frame) { unsafe av_audio_fifo_read(pointer, $0, wanted) }
        guard taken == wanted else { throw TranscodeFailure(.internalFault, "\(taken) of \(wanted) samples") }
        return frame
    }

    /// The pointers to the channels of a frame, as the queue's functions take them.
    private func withPlanes(
        of frame: borrowing Frame, _ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32
    ) -> Int32 {
        unsafe body(
            UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)?
                .assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
    }
}

extension Frame {
    /// Says of a frame without samples which form they will have.
    func become(_ format: SoundFormat) {
        unsafe pointer.pointee.format = SoundFormat.samples.rawValue
        unsafe pointer.pointee.sample_rate = format.sampleRate
        unsafe av_channel_layout_default(&pointer.pointee.ch_layout, format.channels)
    }
}

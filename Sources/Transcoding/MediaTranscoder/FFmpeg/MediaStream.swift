import Base
import CFFmpeg
import MediaHeaders

/// A stream of an opened container. The stream is valid as long as the demuxer.
@safe
struct MediaStream {
    let pointer: UnsafeMutablePointer<AVStream>

    init(_ pointer: UnsafeMutablePointer<AVStream>) { unsafe self.pointer = pointer }

    @unsafe
    var parameters: UnsafeMutablePointer<AVCodecParameters> {
        // FFmpeg allocates the parameters together with the stream.
        unsafe pointer.pointee.codecpar
    }

    /// The index in the container, counted from 0.
    var index: Int { Int(unsafe pointer.pointee.index) }
    var codec: AVCodecID { unsafe parameters.pointee.codec_id }
    var isVideo: Bool { unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
    /// Whether the stream's decoder is among `AllowedDecoders`.
    var hasDecoder: Bool {
        guard let decoder = unsafe avcodec_find_decoder(codec) else { return false }
        return AllowedDecoders.all.contains(unsafe String(cString: decoder.pointee.name))
    }
    /// Whether this is an audio stream that can be decoded.
    var hasSound: Bool { isAudio && hasDecoder && SoundFormat.sources.contains(sampleRate) }
    var isAudio: Bool { unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    /// Whether this is a cover image. FFmpeg treats it as a video stream.
    var isCover: Bool { unsafe pointer.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
    var timeBase: AVRational { unsafe pointer.pointee.time_base }
    var averageFrameRate: AVRational { unsafe pointer.pointee.avg_frame_rate }
    var width: Int { Int(unsafe parameters.pointee.width) }
    var height: Int { Int(unsafe parameters.pointee.height) }
    /// The sample rate of an audio stream, in Hz; 0 if the container does not state it.
    var sampleRate: Int32 { unsafe parameters.pointee.sample_rate }
    var channels: Int32 { unsafe parameters.pointee.ch_layout.nb_channels }
    /// The bit rate that the container states, in bits per second; 0 if it states none.
    var bitRate: Int64 { max(0, unsafe parameters.pointee.bit_rate) }

    /// Makes the demuxer leave out the packets of the stream.
    func discard() { unsafe pointer.pointee.discard = AVDISCARD_ALL }

    /// Takes the number of channels of an MP3 stream from the header of its first frame (ISO 11172-3, 2.4.2.3). Most
    /// MP4 files state two channels for any sound (ISO 14496-14, 5.6.1).
    ///
    /// - Parameter source: The file whose container has an index.
    func countChannels(in source: borrowing MappedInput) {
        guard codec == AV_CODEC_ID_MP3, let entry = unsafe avformat_index_get_entry(pointer, 0) else { return }
        let offset = Int(unsafe entry.pointee.pos)
        guard let header = source.withBytes({ $0.bigEndian32(at: offset) }), header >> 21 == 0x7FF else { return }
        unsafe av_channel_layout_uninit(&parameters.pointee.ch_layout)
        unsafe av_channel_layout_default(&parameters.pointee.ch_layout, header >> 6 & 3 == 3 ? 1 : 2)
    }

    /// Returns two counts from the container's index, or 0 if the container has no index. `packets` counts the packets
    /// up to that of the last shown frame, and `frames` counts the shown frames. The edit list of an MP4 hides frames.
    func indexedCounts(in format: MediaFormat) -> (packets: Int, frames: Int) {
        let named = Int(max(0, unsafe pointer.pointee.nb_frames))
        let count = unsafe avformat_index_get_entries_count(pointer)
        guard format.container == .mp4, named > 0, count > 0 else { return (named, named) }
        let shown = (0..<count).filter { !isHidden($0) }
        return (shown.last.map { Int($0) + 1 } ?? 0, shown.count)
    }

    /// Whether the edit list hides the first frame.
    var hidesBeginning: Bool { isHidden(0) }

    private func isHidden(_ index: Int32) -> Bool {
        guard let entry = unsafe avformat_index_get_entry(pointer, index) else { return false }
        return unsafe entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0
    }

    /// The value of an unknown duration, all ones (ISO 14496-12, 8.4.2.3). FFmpeg reads 32 of them as a number.
    private static let unknownDuration = Int64(UInt32.max)

    var durationMilliseconds: UInt64? {
        let duration = unsafe pointer.pointee.duration
        guard duration > 0, duration != Self.unknownDuration, timeBase.num > 0, timeBase.den > 0 else { return nil }
        return UInt64(max(0, av_rescale(duration, Int64(timeBase.num) * 1_000, Int64(timeBase.den))))
    }

    /// The width of a pixel divided by its height. The container's value takes precedence over the codec's. The result
    /// is 1 if both are missing or the ratio is outside 0.0625…16.
    var sampleAspect: Double { sampleAspect(orOf: unsafe parameters.pointee.sample_aspect_ratio) }

    /// Returns the pixel aspect ratio for a frame. The container's takes precedence over the codec's at that time.
    func sampleAspect(of frame: borrowing Frame) -> Double {
        sampleAspect(orOf: unsafe frame.pointer.pointee.sample_aspect_ratio)
    }

    private func sampleAspect(orOf codec: AVRational) -> Double {
        var ratio = unsafe pointer.pointee.sample_aspect_ratio
        if ratio.num <= 0 || ratio.den <= 0 { ratio = codec }
        guard ratio.num > 0, ratio.den > 0 else { return 1 }
        let value = Double(ratio.num) / Double(ratio.den)
        return (0.0625...16).contains(value) ? value : 1
    }

    /// The quarter turns and mirroring of the display matrix (ISO 14496-12, 8.3.2). Any other counts as upright.
    var orientation: ImageOrientation {
        var size = 0
        guard let raw = unsafe av_stream_get_side_data(pointer, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            return .upright
        }
        let matrix = UnsafeRawPointer(raw)
        func sign(_ index: Int) -> Int32 {
            unsafe matrix.loadUnaligned(fromByteOffset: index * 4, as: Int32.self).signum()
        }
        return switch (sign(0), sign(1), sign(3), sign(4)) {
        case (-1, 0, 0, 1): .mirrored
        case (-1, 0, 0, -1): .turnedHalf
        case (1, 0, 0, -1): .flipped
        case (0, 1, 1, 0): .transposed
        case (0, 1, -1, 0): .turnedRight
        case (0, -1, -1, 0): .transversed
        case (0, -1, 1, 0): .turnedLeft
        default: .upright
        }
    }

    /// Returns whether frames come at uneven times. The result comes from the index of an MP4, or from the two rates
    /// that FFmpeg measured in the packets of a Matroska file. Other containers have even times, or do not state them.
    func hasVariableFrameRate(in format: MediaFormat) -> Bool {
        switch format.container {
        case .mp4: hasUnevenIndex
        case .matroska: hasUnevenRates
        default: false
        }
    }

    /// Returns the frame rate that the container states. In some AVI files the same number of empty chunks follows each
    /// chunk that has a frame. For such a file, the result is the rate of the frames.
    func namedFrameRate(in format: MediaFormat) -> AVRational {
        let (named, exact) = (averageFrameRate, unsafe pointer.pointee.r_frame_rate)
        guard format == .avi, named.num > 0, named.den > 0, exact.num > 0, exact.den > 0 else { return named }
        let chunks = Double(named.num) * Double(exact.den) / (Double(named.den) * Double(exact.num))
        return chunks > 1.5 && abs(chunks - chunks.rounded()) < 0.001 ? exact : named
    }

    private var hasUnevenRates: Bool {
        let (mean, exact) = (averageFrameRate, unsafe pointer.pointee.r_frame_rate)
        guard mean.num > 0, mean.den > 0, exact.num > 0, exact.den > 0 else { return false }
        let ratio = Double(exact.num) * Double(mean.den) / (Double(exact.den) * Double(mean.num))
        return !(0.9...1.1).contains(ratio)
    }

    private var hasUnevenIndex: Bool {
        let count = min(Int(unsafe avformat_index_get_entries_count(pointer)), Self.maxIndexed)
        var (least, most) = (Int64.max, Int64.min)
        var last: Int64?
        for index in 0..<max(0, count) {
            guard let entry = unsafe avformat_index_get_entry(pointer, Int32(index)) else { break }
            let time = unsafe entry.pointee.timestamp
            if let last {
                let step = time.subtractingReportingOverflow(last).partialValue
                (least, most) = (min(least, step), max(most, step))
            }
            last = time
        }
        return least > 0 && most < .max && Double(most) > Double(least) * 1.5 + 1
    }

    /// The largest number of index entries that are checked.
    private static let maxIndexed = 5_000
}

extension StreamFacts {
    /// Creates the facts from the streams that a container describes.
    ///
    /// - Parameter frames: The number of frames; `nil` if they were not counted.
    /// - Parameter milliseconds: The duration of the file; `nil` if it is unknown.
    init(video: MediaStream?, audio: MediaStream?, frames: Int?, milliseconds: UInt64?, byteCount: Int) {
        let milliseconds = milliseconds.flatMap { $0 > 0 ? $0 : nil }
        self.init(
            videoCodec: video.map { CodecName.of($0.codec) },
            frameRate: video.flatMap { $0.meanFrameRate ?? Self.mean(frames, in: milliseconds) },
            audioCodec: audio.map { CodecName.of($0.codec) },
            sampleRate: audio.flatMap { $0.sampleRate > 0 ? Int($0.sampleRate) : nil },
            channels: audio.flatMap { $0.channels > 0 ? Int($0.channels) : nil },
            bitRate: milliseconds.map { Int(clamping: UInt64(byteCount) * 8_000 / $0) })
    }

    private static func mean(_ frames: Int?, in milliseconds: UInt64?) -> Double? {
        guard let frames, frames > 0, let milliseconds else { return nil }
        return Double(frames) * 1_000 / Double(milliseconds)
    }
}

extension MediaStream {
    /// The mean frames per second, stated by the container or measured; `nil` if unknown or outside 0.001…1,000.
    var meanFrameRate: Double? {
        guard averageFrameRate.num > 0, averageFrameRate.den > 0 else { return nil }
        let rate = Double(averageFrameRate.num) / Double(averageFrameRate.den)
        return (0.001...1_000).contains(rate) ? rate : nil
    }
}

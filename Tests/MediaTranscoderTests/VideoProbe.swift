import Base
import CFFmpeg
import Glibc
import TranscodeProtocol

@testable import MediaTranscoder

/// A measurement of a video, which is decoded to its end. It finds the times at which the video flashes and at which
/// the tone sounds.
struct VideoProbe {
    private(set) var codecs: [String] = []
    private(set) var frames = 0
    /// The time from the first frame to the end of the last one, in milliseconds.
    private(set) var duration = 0.0
    /// The times between the frames, in milliseconds; empty for a single frame.
    private(set) var steps: [Double] = []
    /// The time of the first white frame, in milliseconds; `nil` if there is no white frame.
    private(set) var flash: Double?
    /// The time of the first loud sample, in milliseconds; `nil` if there is no loud sample.
    private(set) var tone: Double?
    /// The time at which the last white frame ends, in milliseconds; `nil` if there is no white frame.
    private(set) var flashEnd: Double?
    /// The time of the last loud sample, in milliseconds; `nil` if there is no loud sample.
    private(set) var toneEnd: Double?

    init(_ bytes: [UInt8], as format: MediaFormat = .mp4) throws {
        let descriptor = Workbench.temporaryFile(bytes)
        defer { close(descriptor) }
        let input = try MappedInput.map(descriptor)
        let demuxer = try Demuxer.open(input, as: format)
        for index in 0..<demuxer.streamCount {
            guard let stream = demuxer.stream(index) else { continue }
            codecs.append(CodecName.of(stream.codec))
            if stream.isVideo { try readImages(input, format, index) } else { try readSound(input, format, index) }
        }
    }

    /// Decodes the first stream, and calls `body` with each frame.
    static func forEachImage(in bytes: [UInt8], _ body: (borrowing Frame) throws -> Void) throws {
        let descriptor = Workbench.temporaryFile(bytes)
        defer { close(descriptor) }
        try forEachFrame(MappedInput.map(descriptor), .mp4, 0) { frame, _ in try body(frame) }
    }

    private static func forEachFrame(
        _ input: borrowing MappedInput, _ format: MediaFormat, _ index: Int,
        _ body: (borrowing Frame, MediaStream) throws -> Void
    ) throws {
        let demuxer = try Demuxer.open(input, as: format)
        guard let stream = demuxer.stream(index) else { return }
        demuxer.readOnly([index])
        let decoder = try Decoder.open(stream, maxPixels: 1 << 24)
        let packet = try Packet.make()
        let frame = try Frame.make()
        var isReading = true
        while isReading {
            isReading = try demuxer.read(into: packet)
            if isReading, Int(packet.streamIndex) != index { continue }
            if isReading { _ = try decoder.send(packet) } else { try decoder.finish() }
            while try decoder.receive(into: frame) { try body(frame, stream) }
        }
    }

    private mutating func readImages(_ input: borrowing MappedInput, _ format: MediaFormat, _ index: Int) throws {
        var times: [Double] = []
        var (flash, flashEnd) = (nil as Double?, nil as Double?)
        var length = 0.0
        try Self.forEachFrame(input, format, index) { frame, stream in
            let unit = 1_000 * Double(stream.timeBase.num) / Double(stream.timeBase.den)
            let time = Double(frame.bestTime) * unit
            times.append(time)
            length = Double(frame.duration) * unit
            guard let luma = FrameBrightness.meanLuma(frame), luma > 220 else { return }
            flash = flash ?? time
            flashEnd = time + length
        }
        frames = times.count
        steps = zip(times.dropFirst(), times).map { $0 - $1 }
        duration = (times.last ?? 0) - (times.first ?? 0) + length
        (self.flash, self.flashEnd) = (flash, flashEnd)
    }

    private mutating func readSound(_ input: borrowing MappedInput, _ format: MediaFormat, _ index: Int) throws {
        let mono = SoundFormat(sampleRate: 8_000, channels: 1)
        var (start, count, tone, toneEnd) = (nil as Double?, 0, nil as Double?, nil as Double?)
        var resampler: Resampler?
        try Self.forEachFrame(input, format, index) { frame, stream in
            if resampler == nil { resampler = try Resampler.make(from: frame, to: mono) }
            if start == nil {
                start = Double(frame.bestTime) * 1_000 * Double(stream.timeBase.num) / Double(stream.timeBase.den)
            }
            guard let samples = try resampler?.convert(frame), let bytes = unsafe samples.pointer.pointee.data.0 else {
                return
            }
            let length = Int(unsafe samples.pointer.pointee.nb_samples)
            for sample in 0..<length {
                let value = unsafe UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: sample * 4, as: Float.self)
                guard abs(value) > 0.04 else { continue }
                toneEnd = (start ?? 0) + Double(count + sample) / 8
                tone = tone ?? toneEnd
            }
            count += length
        }
        (self.tone, self.toneEnd) = (tone, toneEnd)
    }
}

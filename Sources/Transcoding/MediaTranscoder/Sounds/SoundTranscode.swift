import Base
import CFFmpeg
import TranscodeProtocol

/// The steps from a sound to its renditions: inspect it, copy or encode it, and make a thumbnail of its cover.
enum SoundTranscode {
    static func run(
        _ job: TranscodeJob, source: borrowing MappedInput, outputs: [Int32], clock: inout StageClock,
        time: inout TimeAllowance
    ) throws(TranscodeFailure) -> [RenditionReport] {
        guard job.specs.first?.role == .attachment else { throw .unsupported("a sound has no image of its own") }
        guard !job.isPart else { throw .corrupt("the file is incomplete") }
        let facts = try clock.measure(
            .inspect,
            SoundFacts.inspect(
                Demuxer.open(source, as: job.format), as: job.format, byteCount: source.count, limits: job.limits))
        let cost = facts.encodingCost
        if cost > 0 { time.cost = TranscodeCost(estimated: cost, least: cost, made: cost) }
        let sound = try clock.measure(
            .encode, attachment(source, facts, order: job.specs[0], output: outputs[0], limits: job.limits))
        guard facts.hasCover, let index = job.specs.firstIndex(where: { $0.role == .thumbnail }), index == 1 else {
            return [sound]
        }
        // An unreadable cover is no reason to refuse the sound.
        let cover = try? SoundCover.image(Demuxer.open(source, as: job.format), limits: job.limits)
        guard let cover else { return [sound] }
        let thumbnail = try clock.measure(.scale) { () throws(TranscodeFailure) in
            let size = cover.size.fitting(longestSide: Int(job.specs[index].imageSide))
            return try StillOutput.write(
                ImageScaling.scale(cover, to: size), from: .jpeg, order: job.specs[index], output: outputs[index])
        }
        return [sound, thumbnail]
    }

    private static func attachment(
        _ source: borrowing MappedInput, _ facts: SoundFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits
    ) throws(TranscodeFailure) -> RenditionReport {
        if let format = facts.copiedFormat, UInt64(source.count) <= order.soundBytes {
            return try write(source, facts, as: format, bitRate: nil, order: order, output: output, limits: limits)
        }
        let bitRate = try facts.bitRate(fitting: order.soundBytes)
        return try write(source, facts, as: .m4a, bitRate: bitRate, order: order, output: output, limits: limits)
    }

    /// Writes the sound to the output.
    ///
    /// - Parameter bitRate: The bit rate of AAC, in bits per second; `nil` copies the packets.
    private static func write(
        _ source: borrowing MappedInput, _ facts: SoundFacts, as format: MediaFormat, bitRate: Int64?,
        order: RenditionSpec, output: Int32, limits: DecodeLimits
    ) throws(TranscodeFailure) -> RenditionReport {
        let demuxer = try Demuxer.open(source, as: facts.format)
        guard let stream = demuxer.stream(facts.stream) else { throw .internalFault("the sound stream is missing") }
        demuxer.readOnly([facts.stream])
        let file = try OutputFile(output, maxBytes: order.soundBytes)
        let muxer = try Muxer.open(file, as: format)
        var track = try SoundTrack.add(stream, to: muxer, encodedWith: bitRate, limits: limits)
        try muxer.writeHeader()
        let packet = try Packet.make()
        var length = SoundLength()
        while try demuxer.read(into: packet) {
            guard Int(packet.streamIndex) == facts.stream else { continue }
            length.note(packet)
            try track.write(packet, to: muxer)
        }
        guard length.packets > 0 else { throw .corrupt("the sound is empty") }
        try track.finish(muxer)
        try muxer.finish()
        let measured = length.milliseconds(in: stream.timeBase)
        let stated = facts.durationMilliseconds
        let milliseconds = length.hasEnd ? measured ?? stated : stated ?? measured
        return RenditionReport(
            role: order.role, format: format, width: 0, height: 0, bytes: UInt64(file.byteCount),
            durationMilliseconds: milliseconds, streams: muxer.streams(frames: nil, milliseconds: milliseconds),
            source: facts.source)
    }
}

/// The time from the first packet of a sound to the end of its last one.
private struct SoundLength {
    private(set) var packets = 0
    /// Whether the last packet has a duration. Packets of Apple Lossless in CAF have no duration.
    private(set) var hasEnd = false
    private var start: Int64?
    private var end: Int64 = 0

    mutating func note(_ packet: borrowing Packet) {
        packets += 1
        let time = unsafe packet.pointer.pointee.pts
        guard time != agd_no_pts else { return }
        hasEnd = packet.duration > 0
        start = min(start ?? time, time)
        end = max(end, time.addingReportingOverflow(max(0, unsafe packet.pointer.pointee.duration)).partialValue)
    }

    func milliseconds(in timeBase: AVRational) -> UInt64? {
        guard let start, end > start else { return nil }
        return UInt64(max(0, av_rescale_q(end - start, timeBase, AVRational(num: 1, den: 1_000))))
    }
}

/// The decoding of a sound file's cover image.
enum SoundCover {
    /// Decodes the first cover of a file, or returns `nil` if the file has none.
    static func image(_ demuxer: borrowing Demuxer, limits: DecodeLimits) throws(TranscodeFailure) -> Frame? {
        guard let stream = demuxer.streams.first(where: { $0.isVideo && $0.isCover }) else { return nil }
        return try Decoder.open(stream, maxPixels: limits.decodedBytes / 4).image(of: stream.coverPacket())
    }
}

extension MediaStream {
    /// Returns a reference to the packet with the cover.
    fileprivate func coverPacket() throws(TranscodeFailure) -> Packet {
        let packet = try Packet.make()
        try FFmpegStatus.check(unsafe av_packet_ref(packet.pointer, &pointer.pointee.attached_pic), "cover")
        return packet
    }
}

import CFFmpeg
import TranscodeProtocol

/// Copies the coded video and sound into a new MP4: index first, no metadata. The display matrix stays.
enum VideoRemux {
    static func write(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        let demuxer = try Demuxer.open(source, as: "mov")
        let wanted = [facts.video] + [facts.audio].compactMap { $0 }
        demuxer.readOnly(wanted)
        let file = try OutputFile(output, mostBytes: order.videoBytes)
        let muxer = try Muxer.open(file)
        var targets: [Int: Int32] = [:]
        for index in wanted {
            guard let stream = demuxer.stream(index) else { continue }
            targets[index] = try muxer.addCopy(of: stream)
        }
        try muxer.writeHeader()
        let packet = try Packet.make()
        var frames = 0
        while try demuxer.read(into: packet) {
            let index = Int(packet.streamIndex)
            guard let target = targets[index], let stream = demuxer.stream(index) else { continue }
            if index == facts.video { frames += 1 }
            try muxer.write(packet, to: target, timeBase: stream.timeBase)
        }
        // A file cut at a packet's edge looks like its end; the index knows better.
        guard frames > 0, frames >= facts.frames else {
            throw TranscodeFailure(.corrupt, "MP4: \(frames) of \(facts.frames) frames are there")
        }
        try muxer.finish()
        let size = facts.size.turned(facts.orientation)
        return RenditionReport(
            role: order.role, format: .mp4, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(file.byteCount), frames: UInt32(clamping: frames),
            durationMilliseconds: facts.durationMilliseconds)
    }
}

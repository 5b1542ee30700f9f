import Base
import CFFmpeg

/// A time line without jumps for the streams of a broadcast.
///
/// The time stamps of a program or transport stream may start again, for example if two files were joined. All streams
/// get the same shift for the same part of the file, so that video and sound stay together. Other containers keep their
/// times, because their index states how long each frame is shown.
struct TimeLine {
    private struct Track {
        /// The index in `shifts`.
        var part: Int
        /// The time on the line at which the last packet ends, in microseconds.
        var end: Int64
    }

    /// The shift of the time stamps in each part, in microseconds.
    private var shifts: [Int64] = [0]
    private var tracks: [Int: Track] = [:]
    private let mayJump: Bool

    /// The largest step back that does not count as a new start, in microseconds. Intact streams have no larger one.
    private static let maxBack: Int64 = 500_000
    /// The longest gap in all streams that counts as a pause, in microseconds.
    private static let maxAhead: Int64 = 10_000_000

    /// The largest difference between the ends of streams, in microseconds, at which the next part may overlap. With a
    /// larger difference, the next part begins after all streams have ended.
    private static let maxOverlap: Int64 = 250_000

    init(of format: MediaFormat) { mayJump = format == .mpegTS || format == .mpegPS }

    /// Returns the duration that FFmpeg computes from the first and the last time stamp, in milliseconds.
    ///
    /// - Returns: `nil` if the last one is earlier, which FFmpeg takes as a wrap of 33 bits (ISO 13818-1, 2.4.3.7).
    func duration(_ milliseconds: UInt64?) -> UInt64? {
        guard mayJump, let milliseconds, milliseconds > Self.maxMilliseconds else { return milliseconds }
        return nil
    }

    /// Half of the range of the 33-bit time stamps, in milliseconds. At 90,000 a second, no allowed file is longer.
    private static let maxMilliseconds: UInt64 = (1 << 32) / 90

    /// Whether the time stamps have started again.
    var hasJumped: Bool { shifts.count > 1 }

    /// Moves the time stamps of a packet to their position on the time line.
    mutating func place(_ packet: borrowing Packet, of stream: MediaStream) {
        guard mayJump else { return }
        let index = Int(packet.streamIndex)
        guard packet.decodingTime != agd_no_pts else {
            return packet.delay(by: stream.ticks(tracks[index].map { shifts[$0.part] } ?? 0))
        }
        let shift = shift(
            stream: index, start: stream.microseconds(packet.decodingTime),
            duration: stream.microseconds(packet.duration))
        packet.delay(by: stream.ticks(shift))
    }

    /// Returns the shift of a packet, in microseconds.
    ///
    /// - Parameter stream: The index of the packet's stream.
    /// - Parameter start: The packet's time stamp, in microseconds.
    /// - Parameter duration: The packet's duration, in microseconds.
    mutating func shift(stream: Int, start: Int64, duration: Int64) -> Int64 {
        var track = tracks[stream] ?? Track(part: shifts.count - 1, end: start + shifts[shifts.count - 1])
        let shown = start + shifts[track.part]
        if track.part + 1 < shifts.count {
            // Another stream's time stamps have already started again. Packets of both parts may follow.
            let next = start + shifts[track.part + 1]
            if abs(next - track.end) < abs(shown - track.end) { track.part += 1 }
        } else {
            let latest = tracks.values.reduce(track.end) { max($0, $1.end) }
            if shown < track.end - Self.maxBack || shown > latest + Self.maxAhead {
                // Streams end at different times. A short overlap is dropped, because otherwise the video would freeze.
                shifts.append((latest - track.end < Self.maxOverlap ? track.end : latest) - start)
                track.part += 1
            }
        }
        track.end = start + shifts[track.part] + max(0, duration)
        tracks[stream] = track
        return shifts[track.part]
    }
}

extension VideoFacts {
    /// Returns the stream of a packet, or `nil` if that stream is not shown.
    func shownStream(of packet: borrowing Packet, in demuxer: borrowing Demuxer) -> MediaStream? {
        let index = Int(packet.streamIndex)
        return index == video || index == audio ? demuxer.stream(index) : nil
    }
}

extension MediaStream {
    private static let second = AVRational(num: 1, den: Int32(AV_TIME_BASE))

    /// Converts from the time base of the stream to microseconds.
    fileprivate func microseconds(_ ticks: Int64) -> Int64 { av_rescale_q(ticks, timeBase, Self.second) }

    /// Converts from microseconds to the time base of the stream.
    fileprivate func ticks(_ microseconds: Int64) -> Int64 { av_rescale_q(microseconds, Self.second, timeBase) }
}

import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The last steps for the decoded frames of a video: they get the size and even times of a plan, and are written.
struct SteadyFrames: ~Copyable {
    private var writer: VideoWriter
    private var grid: FrameGrid
    private var scaling: VideoScaling
    /// The last written frame, which is shown until the next one; `nil` before the first one.
    private var shown: Frame?
    private let facts: VideoFacts
    private let plan: VideoPlan
    private let maxBytes: UInt64
    private let maxFrames: Int
    /// The number of decoded frames of the source.
    private var decoded = 0
    /// The times of the source, in seconds: the start of the first frame, and start and end of the last decoded one.
    private var start: Double?
    private var begin = 0.0
    private var end = 0.0
    /// Whether the file has no space for another frame, which is possible only with a plan whose `isCutToFit` is set.
    private(set) var isFull = false
    /// Whether a frame was dropped because the file has no space for it. After that, no frame is written.
    var isCut = false
    /// The times of the chunks of an AVI; `nil` if the frames have their own times.
    private var chunks: ChunkTimes?
    private var progress: EncodingProgress
    /// The estimated time of the whole encoding, in microseconds, if it would end after its deadline; otherwise `nil`.
    /// When `late` is set, no more frames are written.
    private(set) var late: Double?

    init(
        _ writer: consuming VideoWriter, facts: VideoFacts, plan: VideoPlan, maxBytes: UInt64, limits: DecodeLimits,
        progress: EncodingProgress
    ) {
        self.writer = writer
        self.progress = progress
        self.facts = facts
        self.plan = plan
        self.maxBytes = maxBytes
        grid = FrameGrid(rate: plan.frameRate)
        chunks = facts.format == .avi ? ChunkTimes() : nil
        scaling = VideoScaling(
            size: plan.size.turned(facts.orientation), orientation: facts.orientation,
            filling: .init(size: facts.size, pixelAspect: facts.sampleAspect))
        // Headers may state a wrong duration. The limit is one second more than the longest allowed video.
        maxFrames = Int((Double(limits.durationMilliseconds) / 1_000 + 1) * grid.framesPerSecond)
    }

    /// Stores the time of a packet. This function is called before the packet is decoded.
    mutating func expect(_ packet: borrowing Packet) {
        if packet.decodingTime != agd_no_pts { chunks?.add(packet.decodingTime) }
    }

    mutating func write(
        _ frame: borrowing Frame, of stream: MediaStream, clock: inout StageClock
    ) throws(TranscodeFailure) {
        time(frame, of: stream)
        decoded += 1
        let last = grid.last
        if let place = grid.place(atSeconds: begin) {
            if let last { try clock.measure(.encode, showLast(from: last + 1, to: place)) }
            if isFull { isCut = true }
            guard !isCut, late == nil else { return }
            let aspect = stream.sampleAspect(of: frame)
            let scaled = try clock.measure(.scale, scaling.scale(frame, pixelAspect: aspect))
            try clock.measure(.encode, write(scaled, at: place))
            shown = consume scaled
        }
        late = progress.late(after: begin - (start ?? begin))
    }

    /// Writes a packet of the sound, unless the file is full.
    mutating func writeSound(_ packet: borrowing Packet) throws(TranscodeFailure) {
        guard !isFull else { return }
        try writer.writeSound(packet)
    }

    /// Shows the last frame for its duration, and closes the file if the encoding is not late.
    mutating func finish() throws(TranscodeFailure) {
        if let last = grid.last, !isCut {
            var rest = grid
            if let place = rest.place(atSeconds: end) { try showLast(from: last + 1, to: place) }
        }
        if late == nil { try writer.finish() }
    }

    /// Returns the report of the finished file.
    ///
    /// - Parameter hasJumped: Whether the time stamps have started again. The container's duration is then too short.
    /// - Throws: `corrupt` if too little of a damaged video is left.
    func report(
        _ order: RenditionSpec, _ damagedVideo: DamagedVideo, hasJumped: Bool
    ) throws(TranscodeFailure) -> RenditionReport {
        var report = writer.report(order, plan.size)
        report.source = facts.source
        report.source?.isCut = isCut
        if writer.isSoundCut { report.source?.soundOmission = .cut }
        guard !isCut else { return report }
        report.damage = try damagedVideo.damage(frames: decoded, milliseconds: report.durationMilliseconds ?? 0)
        if report.damage == nil { report.source?.frames = UInt32(clamping: decoded) }
        guard hasJumped, let milliseconds = report.durationMilliseconds, milliseconds > 0 else { return report }
        report.source?.durationMilliseconds = milliseconds
        report.source?.streams.bitRate = Int(clamping: UInt64(facts.byteCount) * 8_000 / milliseconds)
        return report
    }

    private mutating func time(_ frame: borrowing Frame, of stream: MediaStream) {
        let unit = Double(stream.timeBase.num) / Double(max(1, stream.timeBase.den))
        let ticks = chunks == nil ? frame.bestTime : chunks?.next() ?? agd_no_pts
        begin = ticks == agd_no_pts ? end : Double(ticks) * unit
        start = start ?? begin
        let step = Double(facts.frameRate.den) / Double(facts.frameRate.num)
        // A frame of an AVI is shown until its empty chunks end.
        let length = chunks != nil ? facts.secondsOfFrame : frame.duration > 0 ? Double(frame.duration) * unit : step
        end = begin + length
    }

    /// Fills a gap of the source with the previous frame. The gap may be as long as the whole video.
    private mutating func showLast(from first: Int64, to place: Int64) throws(TranscodeFailure) {
        guard first < place, let frame = shown.take() else { return }
        if !plan.isCutToFit { try checkLength(writer.frames + Int(clamping: place - first)) }
        for place in first..<place {
            if isFull { isCut = true }
            guard !isCut, late == nil else { break }
            try write(frame, at: place)
            late = progress.late(after: Double(place) / grid.framesPerSecond - (start ?? 0))
        }
        shown = consume frame
    }

    /// Checks the number of frames.
    ///
    /// - Throws: `tooLarge` for more frames than the longest video has.
    private func checkLength(_ frames: Int) throws(TranscodeFailure) {
        guard frames <= maxFrames else { throw .tooLarge("the video is longer than its header says") }
    }

    private mutating func write(_ frame: borrowing Frame, at place: Int64) throws(TranscodeFailure) {
        try checkLength(writer.frames)
        try writer.write(frame, at: place, duration: 1)
        guard plan.isCutToFit else { return }
        // The encoder may spend the bits of two frames on one frame.
        let bits = Double(plan.limit?.bitsPerSecond ?? 0) / grid.framesPerSecond
        isFull = writer.isFull(maxBytes, frameBytes: Int64(bits / 4))
    }
}

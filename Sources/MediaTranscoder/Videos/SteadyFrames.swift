import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Brings decoded frames to the size and the even times of a plan, and writes them.
struct SteadyFrames: ~Copyable {
    private var writer: VideoWriter
    private var grid: FrameGrid
    private var scaling: VideoScaling
    /// The frame that was written last, which is shown until the next one.
    private var shown: Frame?
    private let facts: VideoFacts
    private let plan: VideoPlan
    private let mostBytes: UInt64
    private let mostFrames: Int
    /// Frames of the source.
    private var decoded = 0
    /// When the last frame of the source begins and ends, in seconds.
    private var start: Double?
    private var begin = 0.0
    private var end = 0.0
    /// No other frame fits the bytes. Only a plan that is cut to fit is ever full.
    private(set) var isFull = false

    init(
        _ writer: consuming VideoWriter, facts: VideoFacts, plan: VideoPlan, mostBytes: UInt64, limits: DecodeLimits
    ) {
        self.writer = writer
        self.facts = facts
        self.plan = plan
        self.mostBytes = mostBytes
        grid = FrameGrid(rate: plan.frameRate)
        scaling = VideoScaling(
            size: plan.size.turned(facts.orientation), orientation: facts.orientation,
            filling: .init(size: facts.size, pixelAspect: facts.sampleAspect))
        // Headers may lie about the duration; a second more does no harm.
        mostFrames = Int((Double(limits.durationMilliseconds) / 1_000 + 1) * grid.framesPerSecond)
    }

    /// Seconds of the source that have been written.
    var seconds: Double { begin - (start ?? begin) }

    mutating func write(
        _ frame: borrowing Frame, of stream: MediaStream, clock: inout StageClock
    ) throws(TranscodeFailure) {
        time(frame, of: stream)
        decoded += 1
        let last = grid.last
        guard let place = grid.place(atSeconds: begin) else { return }
        try clock.measure(.encode) { () throws(TranscodeFailure) in
            if let last { try showLast(from: last + 1, to: place) }
        }
        guard !isFull else { return }
        let aspect = stream.sampleAspect(of: frame)
        let scaled = try clock.measure(.scale) { () throws(TranscodeFailure) in
            try scaling.scale(frame, pixelAspect: aspect)
        }
        try clock.measure(.encode) { () throws(TranscodeFailure) in try write(scaled, at: place) }
        shown = consume scaled
    }

    mutating func writeSound(_ packet: borrowing Packet) throws(TranscodeFailure) {
        try writer.writeSound(packet)
    }

    /// Shows the last frame as long as the source does, and closes the file.
    mutating func finish() throws(TranscodeFailure) {
        if let last = grid.last, !isFull {
            var rest = grid
            if let place = rest.place(atSeconds: end) { try showLast(from: last + 1, to: place) }
        }
        try writer.finish()
    }

    func report(_ order: RenditionSpec) -> RenditionReport {
        var report = writer.report(order, plan.size)
        report.source = facts.source
        report.source?.isCut = isFull
        if !isFull { report.source?.frames = UInt32(clamping: decoded) }
        if writer.isSoundCut { report.source?.soundOmission = .cut }
        return report
    }

    private mutating func time(_ frame: borrowing Frame, of stream: MediaStream) {
        let unit = Double(stream.timeBase.num) / Double(max(1, stream.timeBase.den))
        let step = Double(facts.frameRate.den) / Double(facts.frameRate.num)
        // An AVI has its frames at even times, and says none but the sequence in which they are stored.
        if facts.format == .avi {
            begin = Double(decoded) * facts.secondsOfFrame
        } else {
            begin = frame.bestTime == agd_no_pts ? end : Double(frame.bestTime) * unit
        }
        start = start ?? begin
        end = begin + (frame.duration > 0 ? Double(frame.duration) * unit : step)
    }

    private mutating func showLast(from first: Int64, to place: Int64) throws(TranscodeFailure) {
        guard first < place, let frame = shown.take() else { return }
        for place in first..<place where !isFull { try write(frame, at: place) }
        shown = consume frame
    }

    private mutating func write(_ frame: borrowing Frame, at place: Int64) throws(TranscodeFailure) {
        guard writer.frames <= mostFrames else {
            throw TranscodeFailure(.tooLarge, "the video is longer than its header says")
        }
        try writer.write(frame, at: place, duration: 1)
        guard plan.isCutToFit else { return }
        // The encoder may spend the bits of two frames on one.
        let bits = Double(plan.limit?.bitsPerSecond ?? 0) / grid.framesPerSecond
        isFull = writer.isFull(mostBytes, frameBytes: Int64(bits / 4))
    }
}

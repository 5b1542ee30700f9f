import CFFmpeg
import LinuxIO
package import TranscodeProtocol

/// Makes the renditions of one source: the worker's work, without the worker.
///
/// What comes in: a job and open descriptors, the input to read and one output for each order. What goes out: the
/// outputs written and a reply, a report for each order or one failure for all. What it refuses: whatever the walk over
/// the source's headers finds larger than the job's limits, formats that are not the job's, and everything that would
/// open a file or a connection. Sources are decoded once; a source that fits is copied without its metadata instead of
/// made anew. Everything runs on the calling thread, without another one, and cannot be interrupted: who needs it to end
/// kills the process. No state is kept between jobs.
package enum MediaTranscoder {
    /// The free memory that a worker keeps between two jobs. More of it would be missing from the memory limit of the
    /// next job, whose large blocks do not come from the heap.
    private static let keptHeapBytes = 64 << 20

    /// Makes FFmpeg silent and builds its tables, and warms what would need a system call later. Call it once, before
    /// system calls are forbidden.
    package static func prepare() {
        agd_silence()
        // Pictures' planes come from the heap. Without it large pictures take longer, and nothing else.
        let keepsHeap = Allocator.keep(blocksOf: 32 << 20, free: Int32(keptHeapBytes))
        assert(keepsHeap, "mallopt")
        WarmUp.run()
    }

    /// Runs a job to its end.
    ///
    /// - Parameters:
    ///   - input: open for reading; its offset is not kept. Not closed.
    ///   - outputs: open for reading and writing, one for each order in their sequence; emptied first. Not closed.
    ///   - sendInterim: takes the interim reply. The outputs that it reports are complete.
    /// - Returns: the reply with the job's `id`. Outputs are worth nothing unless it is a success.
    package static func run(
        _ job: TranscodeJob, input: Int32, outputs: [Int32], sendInterim: (TranscodeReply) -> Void = { _ in }
    ) -> TranscodeReply {
        defer { Allocator.trim(beyond: keptHeapBytes) }
        var clock = StageClock()
        var time = TimeAllowance(until: job.deadline, from: MonotonicClock.microseconds, at: job.pace)
        do throws(TranscodeFailure) {
            let reports = try renditions(of: job, input: input, outputs: outputs, clock: &clock, time: &time) {
                stills in
                sendInterim(TranscodeReply(id: job.id, isInterim: true, result: .success(stills)))
            }
            return TranscodeReply(id: job.id, result: .success(reports), stages: clock.stages, cost: time.cost)
        } catch {
            return TranscodeReply(id: job.id, result: .failure(error), stages: clock.stages)
        }
    }

    /// Gives the memory of the last jobs back. Call it when no job has come for a while: to get it anew page by page costs
    /// a large picture as much as its decoding.
    package static func rest() {
        Allocator.trim()
    }

    private static func renditions(
        of job: TranscodeJob, input: Int32, outputs: [Int32], clock: inout StageClock, time: inout TimeAllowance,
        stillsAreMade: ([RenditionReport]) -> Void
    ) throws(TranscodeFailure) -> [RenditionReport] {
        guard job.orders.count == outputs.count else {
            throw TranscodeFailure(.internalFault, "\(job.orders.count) orders with \(outputs.count) outputs")
        }
        for order in job.orders {
            let sides = [order.pictureSide, order.videoSide, order.copiedVideoSide]
            guard sides.allSatisfy({ (1...16_384).contains($0) }) else {
                throw TranscodeFailure(.internalFault, "an order's side is outside 1...16384")
            }
            guard (1...100).contains(order.jpegQuality) else {
                throw TranscodeFailure(.internalFault, "an order's quality is outside 1...100")
            }
        }
        let source = try MappedInput.map(input).corrected(as: job.format)
        try clock.measure(.inspect) { () throws(TranscodeFailure) in try source.checkContainer(as: job.format) }
        return switch job.format {
        case .jpeg, .png, .gif, .webp, .heif, .bmp, .tiff, .ico:
            try ImageTranscode.run(job, source: source, outputs: outputs, clock: &clock, time: &time)
        case .mp4, .matroska, .avi, .mpegPS, .mpegTS, .asf, .flv:
            try VideoTranscode.run(
                job, source: source, outputs: outputs, clock: &clock, time: &time, stillsAreMade: stillsAreMade)
        case .mp3, .aac, .wav, .aiff, .ogg, .flac, .amr, .caf, .au, .w64:
            try SoundTranscode.run(job, source: source, outputs: outputs, clock: &clock, time: &time)
        }
    }
}

import Base
import CFFmpeg
import LinuxIO
package import TranscodeProtocol

/// The transcoder of one source. The transcoder does the work of a worker process, without the process.
///
/// The input is a job and open descriptors: one to read the source, and one to write for each rendition spec. The
/// output is the written files and a reply. The reply has one report for each spec, or one failure for the whole job.
///
/// The transcoder refuses a source whose headers exceed the job's limits, or whose format is not the job's. The
/// transcoder also refuses every attempt of a demuxer to open a file or a connection. A source is decoded once. A
/// source that meets a spec is copied without its metadata instead of being encoded again.
///
/// Everything runs on the calling thread, and no other thread is started. A job cannot be interrupted. `TranscodePool`
/// cancels a job by killing the worker process. No state is kept between two jobs, apart from free memory of the heap.
///
/// To add a new format of renditions, do this: give it the use `made` in the facts of `MediaFormat`, and write its
/// encoder beside `ImageEncoding`, `VideoEncoding` or `SoundEncoding`. A video or a sound also needs a `muxer` in
/// `AllowedFormats.swift`, and `WarmUp` must run code that makes further system calls when it is first used.
/// `MediaFormatTests` fails until its list of renditions has the format.
package enum MediaTranscoder {
    /// The free heap memory that a worker keeps between two jobs, in bytes. More of it would reduce the memory limit of
    /// the next job, whose large blocks do not come from the heap.
    private static let keptHeapBytes = 64 << 20

    /// Silences FFmpeg, builds its tables, and prepares all that would need a system call later. It is called once.
    package static func prepare() {
        agd_silence()
        // The planes of images come from the heap. If that fails, large images only take longer.
        let keepsHeap = Allocator.keep(blocksOf: 32 << 20, free: Int32(keptHeapBytes))
        assert(keepsHeap, "mallopt")
        WarmUp.run()
    }

    /// Runs a job to its end.
    ///
    /// - Parameter job: The rendition specs, the limits and the deadline.
    /// - Parameter input: A descriptor that is open for reading. Its offset may change, and it is not closed.
    /// - Parameter outputs: Descriptors that are open for reading and writing, one for each rendition spec, in the same
    ///   order. Each file is emptied first, and no descriptor is closed.
    /// - Parameter sendInterim: A function that takes the interim reply, whose outputs are complete.
    /// - Returns: The reply with the job's `id`. The outputs are valid only if it is a success.
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

    /// Returns the memory of the last jobs to the system. The worker calls this function after an idle time. Allocating
    /// the memory again page by page takes as long as decoding a large image.
    package static func rest() { Allocator.trim() }

    private static func renditions(
        of job: TranscodeJob, input: Int32, outputs: [Int32], clock: inout StageClock, time: inout TimeAllowance,
        stillsAreMade: ([RenditionReport]) -> Void
    ) throws(TranscodeFailure) -> [RenditionReport] {
        guard job.specs.count == outputs.count else {
            throw .internalFault("\(job.specs.count) orders with \(outputs.count) outputs")
        }
        for order in job.specs {
            let sides = [order.imageSide, order.videoSide, order.copiedVideoSide]
            guard sides.allSatisfy({ (1...16_384).contains($0) }) else {
                throw .internalFault("an order's side is outside 1...16384")
            }
            guard (1...100).contains(order.jpegQuality) else {
                throw .internalFault("an order's quality is outside 1...100")
            }
        }
        let source = try MappedInput.map(input).corrected(as: job.format)
        try clock.measure(.inspect, source.checkContainer(as: job.format))
        return switch job.format.container.kind {
        case .image: try ImageTranscode.run(job, source: source, outputs: outputs, clock: &clock, time: &time)
        case .video:
            try VideoTranscode.run(
                job, source: source, outputs: outputs, clock: &clock, time: &time, stillsAreMade: stillsAreMade)
        case .sound: try SoundTranscode.run(job, source: source, outputs: outputs, clock: &clock, time: &time)
        case nil: throw .internalFault("\(job.format) is not decoded")
        }
    }
}

import Base
import BenchProcess
import Glibc
import LinuxIO
import MediaTranscoder
import Sandbox
import TranscodeProtocol

/// The measured side of the benchmark, which creates renditions of one file like the daemon's worker. The process
/// exchanges messages on descriptor 3, like `Peers/vips-thumbnail.c`.
///
/// The worker first creates the renditions once. It reports `ready FORMAT WIDTH HEIGHT` of the first rendition, or
/// `refused REASON`. Each later message has a number of rounds, and the worker replies with `JobUsage.text`. The number
/// 0 ends the worker.
final class TranscodeWorker {
    private let parent = MessageSocket(OwnedDescriptor(adopting: 3))
    private let job: TranscodeJob
    private let input: OwnedDescriptor
    private let outputs: [Int32]
    private let isSandboxed: Bool

    init(_ arguments: Arguments) throws {
        isSandboxed = arguments["sandboxed"] != nil
        let names: [String]
        if let name = arguments["job"] {
            guard let video = VideoCase(rawValue: name) else { throw BenchFailure("--job \(name) is not a job") }
            job = TranscodeJob(id: 1, format: video.input.format, specs: video.specs)
            names = video.outputNames
        } else {
            (job, names) = try Self.thumbnails(arguments)
        }
        let path = try arguments.required("input")
        input = try OwnedDescriptor.adopt(open(path, O_RDONLY | O_CLOEXEC), from: "open \(path)")
        let prefix = try arguments.required("outputs")
        outputs = try names.map { name in
            let path = "\(prefix)\(name)"
            return try OwnedDescriptor.adopt(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640), from: "open \(path)")
                .release()
        }
    }

    /// Returns the job of an image's thumbnails, and the names of its outputs.
    private static func thumbnails(_ arguments: Arguments) throws -> (TranscodeJob, [String]) {
        let name = try arguments.required("format")
        guard let format = MediaFormat.decoded.first(where: { "\($0)" == name }) else {
            throw BenchFailure("--format \(name) is not a format that the transcoder reads")
        }
        let sides = try arguments.required("sides").split(separator: ",").compactMap { UInt32($0) }
        let quality = try arguments.number("quality", else: 85)
        // The size limit is that of a profile, so that no other quality is tried.
        let specs = sides.map {
            RenditionSpec(
                role: .thumbnail, imageSide: $0, videoSide: $0, copiedVideoSide: $0, imageBytes: 10_000_000,
                jpegQuality: UInt8(clamping: quality), videoBytes: 10_000_000, soundBytes: 1)
        }
        return (TranscodeJob(id: 1, format: format, specs: specs), sides.map(String.init))
    }

    func run() throws {
        if isSandboxed {
            let report = try WorkerSandbox.apply(
                as: nil, reportingTo: parent.descriptor.raw, mark: TranscodeWire.violationMark,
                warming: MediaTranscoder.prepare)
            guard report.missing(for: .filter).isEmpty else { throw BenchFailure("the sandbox is not complete") }
        } else {
            MediaTranscoder.prepare()
        }
        switch transcode().result {
        case .success(let reports):
            guard let first = reports.first else { throw BenchFailure("the job made no output") }
            try tell("ready \(first.format) \(first.width) \(first.height)")
        case .failure(let failure):
            return try tell("refused \(failure.detail)")
        }
        while let message = try parent.receive(upTo: 64, within: .seconds(600)),
            let rounds = Int(String(decoding: message.bytes, as: UTF8.self)), rounds > 0
        {
            try tell(try measure(rounds: rounds).text)
        }
    }

    private func measure(rounds: Int) throws -> JobUsage {
        var usage = JobUsage()
        let (processor, start) = (Self.now(CLOCK_PROCESS_CPUTIME_ID), Self.now(CLOCK_MONOTONIC))
        for _ in 0..<rounds {
            let reply = transcode()
            usage.bytes = try reply.result.get().reduce(0) { $0 + Int($1.bytes) }
            for stage in reply.stages { usage.stages[stage.name, default: 0] += Int(stage.microseconds) }
        }
        usage.processor = Self.now(CLOCK_PROCESS_CPUTIME_ID) - processor
        usage.wall = Self.now(CLOCK_MONOTONIC) - start
        return usage
    }

    private func transcode() -> TranscodeReply {
        MediaTranscoder.run(job, input: input.raw, outputs: outputs)
    }

    private func tell(_ text: String) throws {
        try FileSystem.write(Array(text.utf8)[...], to: parent.descriptor.raw)
    }

    /// Returns the time of a clock, in nanoseconds.
    private static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

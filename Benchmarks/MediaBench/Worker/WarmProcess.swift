import BenchProcess
import TranscodeProtocol

/// A warm process that makes renditions of one file: ours or libvips'.
struct WarmProcess: ~Copyable {
    /// The result of our worker's first job.
    enum Readiness {
        /// The format and size of the first rendition.
        case ready(format: String, width: Int, height: Int)
        case refused(String)
    }

    /// libvips' effort for a PNG: the transcoder's zlib level.
    private static let pngEffort = 4

    private let process: MeasuredProcess

    /// This program as a worker, before it is asked whether it is ready.
    ///
    /// - Parameters:
    ///   - quality: of JPEGs, libjpeg's.
    ///   - outputs: a path that is followed by each side.
    ///   - isSandboxed: it locks itself as the daemon's worker does.
    init(
        input: String, format: SourceFormat, sides: [Int], quality: Int = 85, outputs: String, isSandboxed: Bool = false
    ) throws {
        var arguments = Arguments()
        arguments["worker"] = ""
        arguments["input"] = input
        arguments["format"] = "\(format)"
        arguments["sides"] = sides.map(String.init).joined(separator: ",")
        arguments["quality"] = "\(quality)"
        arguments["outputs"] = outputs
        if isSandboxed { arguments["sandboxed"] = "" }
        process = try MeasuredProcess(worker: arguments)
    }

    /// This program as a worker in its sandbox, likewise.
    ///
    /// - Parameter outputs: a path that is followed by each of the job's `outputNames`.
    init(input: String, job: VideoCase, outputs: String) throws {
        var arguments = Arguments()
        arguments["worker"] = ""
        arguments["input"] = input
        arguments["job"] = job.rawValue
        arguments["outputs"] = outputs
        arguments["sandboxed"] = ""
        process = try MeasuredProcess(worker: arguments)
    }

    /// libvips.
    init(peer: String, input: String, side: Int, outputFormat: String, quality: Int = 85, output: String) throws {
        guard ["jpeg", "png"].contains(outputFormat) else {
            throw BenchFailure("libvips has no equal for a rendition as \(outputFormat)")
        }
        let effort = outputFormat == "png" ? Self.pngEffort : quality
        process = try MeasuredProcess(peer, [input, "\(side)", outputFormat, "\(effort)", output])
    }

    borrowing func readiness() throws -> Readiness {
        let words = try process.receive().split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { throw BenchFailure("the worker's first words are not to be read") }
        guard words[0] == "ready" else { return .refused(words[1]) }
        let facts = words[1].split(separator: " ")
        guard facts.count == 3, let width = Int(facts[1]), let height = Int(facts[2]) else {
            throw BenchFailure("the worker's first words are not to be read")
        }
        return .ready(format: String(facts[0]), width: width, height: height)
    }

    /// Returns the usage of one job, as the mean of several in a row.
    borrowing func measure(jobs: Int) throws -> JobUsage {
        try process.send("\(jobs)")
        guard let usage = JobUsage(try process.receive()) else {
            throw BenchFailure("what a process has used is not to be read")
        }
        return usage.divided(by: jobs)
    }

    /// Ends it, after which its outputs are there.
    ///
    /// - Returns: the highest mark of its memory, in kilobytes.
    consuming func end() throws -> Int {
        let peak = try process.peakKilobytes()
        try process.send("0")
        _ = try process.end()
        return peak
    }
}

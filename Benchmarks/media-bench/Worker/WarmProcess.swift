import Base
import BenchProcess

/// A warm process that creates renditions of one file, of our side or of libvips.
struct WarmProcess: ~Copyable {
    /// The result of our worker's first job.
    enum Readiness {
        /// The format and size of the first rendition.
        case ready(format: String, width: Int, height: Int)
        case refused(String)
    }

    /// The effort of libvips for a PNG, which is equal to the transcoder's zlib level.
    private static let pngEffort = 4

    private let process: MeasuredProcess

    /// Starts this program as a worker. The caller must then read `readiness`.
    ///
    /// - Parameter quality: The quality of JPEGs, on libjpeg's scale.
    /// - Parameter outputs: A path to which each side is appended.
    /// - Parameter isSandboxed: Whether the worker applies its sandbox like the daemon's worker.
    init(
        input: String, format: MediaFormat, sides: [Int], quality: Int = 85, outputs: String, isSandboxed: Bool = false
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

    /// Starts this program as a worker in its sandbox. The caller must then read `readiness`.
    ///
    /// - Parameter outputs: A path to which each of the job's `outputNames` is appended.
    init(input: String, job: VideoCase, outputs: String) throws {
        var arguments = Arguments()
        arguments["worker"] = ""
        arguments["input"] = input
        arguments["job"] = job.rawValue
        arguments["outputs"] = outputs
        arguments["sandboxed"] = ""
        process = try MeasuredProcess(worker: arguments)
    }

    /// Starts the worker of libvips.
    init(peer: String, input: String, side: Int, outputFormat: String, quality: Int = 85, output: String) throws {
        guard ["jpeg", "png"].contains(outputFormat) else {
            throw BenchFailure("libvips makes no \(outputFormat) to compare with")
        }
        let effort = outputFormat == "png" ? Self.pngEffort : quality
        process = try MeasuredProcess(peer, [input, "\(side)", outputFormat, "\(effort)", output])
    }

    borrowing func readiness() throws -> Readiness {
        let words = try process.receive().split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { throw BenchFailure("the worker's first message cannot be read") }
        guard words[0] == "ready" else { return .refused(words[1]) }
        let facts = words[1].split(separator: " ")
        guard facts.count == 3, let width = Int(facts[1]), let height = Int(facts[2]) else {
            throw BenchFailure("the worker's first message cannot be read")
        }
        return .ready(format: String(facts[0]), width: width, height: height)
    }

    /// Returns the usage of one job, as the mean of several jobs in a row.
    borrowing func measure(jobs: Int) throws -> JobUsage {
        try process.send("\(jobs)")
        guard let usage = JobUsage(try process.receive()) else {
            throw BenchFailure("the usage of a process cannot be read")
        }
        return usage.divided(by: jobs)
    }

    /// Ends the process, so that its outputs are complete.
    ///
    /// - Returns: The peak of its memory, in kilobytes.
    consuming func end() throws -> Int {
        let peak = try process.peakKilobytes()
        try process.send("0")
        _ = try process.end()
        return peak
    }
}

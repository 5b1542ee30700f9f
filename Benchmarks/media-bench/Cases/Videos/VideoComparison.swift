import Base
import BenchProcess
import BenchReport
import LinuxIO
import NotificationModel
import TranscodeProtocol

/// A comparison of a warm worker in its sandbox with a program that is started for the same work.
struct VideoComparison {
    let job: VideoCase
    let input: String
    let pace: Pace

    func run(in directory: String) throws -> (rows: [ResultRow], stages: StageRow) {
        let outputs = "\(directory)/\(job.rawValue)-"
        let worker = try WarmProcess(input: input, job: job, outputs: outputs)
        guard case .ready(let format, let width, let height) = try worker.readiness(), format == "\(job.outputFormat)"
        else { throw BenchFailure("the worker does not make the \(job.outputFormat) of \(job.words)") }
        let ours = outputs + job.outputNames[0]
        let peers = "\(directory)/\(job.rawValue)-peer.\(format)"
        let settings = job.isEncoded ? try X264Settings(of: ours) : nil
        let peer = VideoPeer(of: job, input: input, output: peers, size: (width, height), settings: settings)
        let (usages, peersUsages) = try takeTurns(worker, peer)
        let memory = Double(try worker.end()) / 1_024
        let stages = StageRow(job.words, usages)
        guard let peer else { return (Self.rows(job, usages, memory), stages) }
        if let settings {
            let differences = settings.differences(from: try X264Settings(of: peers))
            guard differences.isEmpty else { throw BenchFailure("\(job.words): x264 has \(differences)") }
        }
        let name = "\(job.words), a warm worker beside `\(peer.name)`"
        let pairs = zip(usages, peersUsages)
        let bytes = (Double(usages.last?.bytes ?? 0) / 1_000, Double(FileSystem.size(of: peers) ?? 0) / 1_000)
        let rows = [
            ResultRow(
                "\(name): processor time", pairs.map { (Double($0.processor) / 1e6, $1.processor.seconds * 1_000) },
                " ms", target: .most(job.maxProcessorTime)),
            ResultRow("\(name): bytes", [bytes], " kB"),
            ResultRow(
                "\(name): peak memory", peersUsages.map { (memory, Double($0.peakKilobytes) / 1_024) }, " MiB"),
        ]
        guard job.isEncoded else { return (rows, stages) }
        let reference = VideoReference(source: input, directory: directory)
        let similarities = (
            ours: try reference.similarity(of: ours, width: width, height: height),
            peers: try reference.similarity(of: peers, width: width, height: height)
        )
        return (rows + [ResultRow(similarity: "\(name): SSIM", similarities)], stages)
    }

    /// Measures both sides in turns. The first turn of each side is a warm-up and is not measured.
    private func takeTurns(
        _ worker: borrowing WarmProcess, _ peer: VideoPeer?
    ) throws -> (ours: [JobUsage], peers: [ProcessUsage]) {
        let jobs = try pace.jobs(warming: worker)
        var (ours, peers): ([JobUsage], [ProcessUsage]) = ([], [])
        for _ in 0...pace.rounds {
            ours.append(try worker.measure(jobs: jobs))
            if let peer { peers.append(try MeasuredProcess(peer.executable, peer.words).end()) }
        }
        return (Array(ours.dropFirst()), Array(peers.dropFirst()))
    }

    private static func rows(_ job: VideoCase, _ usages: [JobUsage], _ memory: Double) -> [ResultRow] {
        let times = Ratios(usages.map { Double($0.processor) / 1e6 })
        return [
            ResultRow(
                what: "\(job.words): milliseconds of processor time", ours: times.median.text + " ms", peers: "–",
                measured: times, target: .most(job.maxProcessorTime, " ms")),
            ResultRow(
                what: "\(job.words): peak memory", ours: memory.text + " MiB", peers: "–", measured: Ratios([memory]),
                target: .none),
        ]
    }
}

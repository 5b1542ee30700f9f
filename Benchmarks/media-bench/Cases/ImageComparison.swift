import Base
import BenchProcess
import BenchReport
import LinuxIO
import MediaHeaders
import TranscodeProtocol

/// A comparison of the transcoder and libvips, which scale the same image in turns.
struct ImageComparison {
    let image: ImageCase
    let input: String
    let peer: String
    let pace: Pace

    private static let standardQuality = 85
    /// The lowest SSIM that meets the targets.
    private static let wantedSimilarity = 0.993

    private static func ours(_ directory: String) -> String { directory + "/ours-" }
    private static func peers(_ directory: String) -> String { directory + "/peers" }

    /// Returns the rows of the table and the durations of our stages. The stages are `nil` if our side refuses the
    /// image.
    ///
    /// A JPEG of the standard quality is less similar to its source than the targets demand. An output in JPEG is
    /// therefore compared twice: in the default quality, and in a quality that reaches the target.
    func run(in directory: String) throws -> (rows: [ResultRow], stages: StageRow?) {
        guard let format = try Self.format(of: input) else {
            return ([try refused("the bytes are \(try Self.label(of: input))", directory)], nil)
        }
        let worker = try start(format, Self.standardQuality, directory)
        switch try worker.readiness() {
        case .refused(let reason): return ([try refused(reason, directory)], nil)
        case .ready(let outputFormat, let width, let height):
            let reference = try ImageReference(of: input, width: width, height: height, in: directory)
            let isPNG = outputFormat == "png"
            let standard = try measure(
                worker, name: "\(image.name) as \(isPNG ? "PNG" : "JPEG")", Self.standardQuality, reference,
                isPNG: isPNG, in: directory)
            guard !isPNG, standard.similarity < Self.wantedSimilarity else {
                return (standard.rows(wanting: Self.wantedSimilarity), standard.stages)
            }
            let quality = try quality(of: format, reaching: Self.wantedSimilarity, reference, in: directory)
            let rows = try measure(
                startReady(format, quality, directory), name: "\(image.name) as JPEG of quality \(quality)", quality,
                reference, isPNG: false,
                in: directory
            ).rows(wanting: Self.wantedSimilarity)
            return (standard.rows(wanting: nil) + rows, standard.stages)
        }
    }

    private func start(_ format: MediaFormat, _ quality: Int, _ directory: String) throws -> WarmProcess {
        try WarmProcess(
            input: input, format: format, sides: [image.side], quality: quality, outputs: Self.ours(directory))
    }

    /// Starts a worker for an input that an earlier worker has accepted.
    private func startReady(_ format: MediaFormat, _ quality: Int, _ directory: String) throws -> WarmProcess {
        let worker = try start(format, quality, directory)
        guard case .ready = try worker.readiness() else { throw BenchFailure("the worker refuses \(input)") }
        return worker
    }

    /// Returns the lowest quality at which our rendition reaches a similarity; 100 if no quality reaches the
    /// similarity.
    private func quality(
        of format: MediaFormat, reaching similarity: Double, _ reference: ImageReference, in directory: String
    ) throws -> Int {
        var (low, high) = (Self.standardQuality, 100)
        while high - low > 1 {
            let quality = (low + high) / 2
            _ = try startReady(format, quality, directory).end()
            let reached = try reference.similarity(of: "\(Self.ours(directory))\(image.side)")
            if reached >= similarity { high = quality } else { low = quality }
        }
        return high
    }

    /// Measures both sides with the given quality.
    private func measure(
        _ worker: consuming WarmProcess, name: String, _ quality: Int, _ reference: ImageReference, isPNG: Bool,
        in directory: String
    ) throws -> ImageMeasurement {
        let peers = Self.peers(directory)
        let libvips = try WarmProcess(
            peer: peer, input: input, side: image.side, outputFormat: isPNG ? "png" : "jpeg", quality: quality,
            output: peers)
        let pairs = try takeTurns(worker, libvips)
        return ImageMeasurement(
            name: name, timeTarget: image.target, pairs: pairs,
            memory: (Double(try worker.end()) / 1_024, Double(try libvips.end()) / 1_024),
            similarities: (
                try reference.similarity(of: "\(Self.ours(directory))\(image.side)"),
                try reference.similarity(of: peers)
            ),
            maxSimilarity: isPNG ? 1 : try reference.similarityOfJPEG(quality: quality),
            stages: StageRow(image.name, pairs.map(\.ours)))
    }

    private func takeTurns(
        _ worker: borrowing WarmProcess, _ libvips: borrowing WarmProcess
    ) throws -> [(ours: JobUsage, peers: JobUsage)] {
        let jobs = try pace.jobs(warming: libvips)
        _ = try worker.measure(jobs: jobs)
        var pairs: [(ours: JobUsage, peers: JobUsage)] = []
        for _ in 0..<pace.rounds {
            let usage = try worker.measure(jobs: jobs)
            pairs.append((usage, try libvips.measure(jobs: jobs)))
        }
        return pairs
    }

    /// Returns a row that reports the refusal, with the time of the peer.
    private func refused(_ reason: String, _ directory: String) throws -> ResultRow {
        let peers = try WarmProcess(
            peer: peer, input: input, side: image.side, outputFormat: "jpeg", output: Self.peers(directory))
        let jobs = try pace.jobs(warming: peers)
        let times = try (0..<pace.rounds).map { _ in Double(try peers.measure(jobs: jobs).processor) / 1e6 }
        _ = try peers.end()
        return ResultRow(
            what: "\(image.name): processor time", ours: "refused: \(reason)",
            peers: Ratios(times).median.text + " ms",
            measured: Ratios([]), target: image.target.map { .most($0) } ?? .none)
    }

    /// Returns the format of a file by its bytes, as the daemon decides before it sends a job; `nil` if the format is
    /// unknown.
    static func format(of path: String) throws -> MediaFormat? {
        try signature(of: path).flatMap { $0.isDecoded ? $0 : nil }
    }

    private static func label(of path: String) throws -> String {
        try signature(of: path)?.phrase ?? "of no known media type"
    }

    private static func signature(of path: String) throws -> MediaFormat? {
        let bytes = try FileSystem.contents(of: path)
        return MediaSignature.of(bytes.span)
    }
}

import BenchProcess
import BenchReport
import LinuxIO
import MediaHeaders
import TranscodeProtocol

/// One picture made small by the transcoder and by libvips, in turns.
struct PictureComparison {
    let picture: PictureCase
    let input: String
    let peer: String
    let pace: Pace

    /// What the table says, and where our time goes; no stages where ours refuses it.
    func run(in folder: String) throws -> (rows: [ResultRow], stages: StageRow?) {
        let (ours, peers) = (folder + "/ours-", folder + "/peers")
        guard let format = try Self.format(of: input) else {
            return ([try refused("the bytes are \(try Self.label(of: input))", peers)], nil)
        }
        let worker = try ThumbnailProcess(input: input, format: format, sides: [picture.side], outputs: ours)
        switch try worker.readiness() {
        case .refused(let reason): return ([try refused(reason, peers)], nil)
        case .ready(let outputFormat, let width, let height):
            let libvips = try ThumbnailProcess(
                peer: peer, input: input, side: picture.side, outputFormat: outputFormat, output: peers)
            let pairs = try measure(worker, libvips)
            let memory = try Memory(worker, libvips)
            let reference = try PictureReference(of: input, width: width, height: height, in: folder)
            let similarity = Similarity(
                ours: try reference.similarity(of: "\(ours)\(picture.side)"),
                peers: try reference.similarity(of: peers),
                most: outputFormat == "png" ? 1 : try reference.similarityOfJPEG())
            let name = "\(picture.name) as \(outputFormat == "png" ? "PNG" : "JPEG")"
            return (rows(name, pairs, memory, similarity), StageRow(picture.name, pairs.map(\.ours)))
        }
    }

    /// In turns.
    private func measure(
        _ worker: borrowing ThumbnailProcess, _ libvips: borrowing ThumbnailProcess
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

    /// Highest marks, in MiB.
    private struct Memory {
        let ours: Double
        let peers: Double

        /// Ends both.
        init(_ worker: consuming ThumbnailProcess, _ libvips: consuming ThumbnailProcess) throws {
            ours = Double(try worker.end()) / 1_024
            peers = Double(try libvips.end()) / 1_024
        }
    }

    /// To the reference: SSIM, and the most of it that the output's coding leaves.
    private struct Similarity {
        let ours: Double
        let peers: Double
        let most: Double

        func rows(_ name: String) -> [ResultRow] {
            let literal = ResultRow(
                what: "\(name): SSIM", ours: ours.text(digits: 4), peers: peers.text(digits: 4),
                measured: Ratios([ours]), target: .least(0.993), digits: 4)
            guard most < 1 else { return [literal] }
            let shares = (ours: ours / most, peers: peers / most)
            return [
                literal,
                ResultRow(
                    what: "\(name): SSIM, of the \(most.text(digits: 4)) that its quality leaves",
                    ours: shares.ours.text(digits: 4), peers: shares.peers.text(digits: 4),
                    measured: Ratios([shares.ours]), target: .least(0.993), digits: 4),
            ]
        }
    }

    private func rows(
        _ name: String, _ pairs: [(ours: JobUsage, peers: JobUsage)], _ memory: Memory, _ similarity: Similarity
    ) -> [ResultRow] {
        func row(_ what: String, _ values: [(ours: Double, peers: Double)], _ unit: String, _ target: ResultRow.Target)
            -> ResultRow
        {
            ResultRow(
                what: "\(name): \(what)", ours: Ratios(values.map(\.ours)).median.text + unit,
                peers: Ratios(values.map(\.peers)).median.text + unit,
                measured: Ratios(values.map { $0.ours / $0.peers }), target: target)
        }
        let bytes = pairs.suffix(1).map { (Double($0.ours.bytes) / 1_000, Double($0.peers.bytes) / 1_000) }
        let time = row(
            "processor time", pairs.map { (Double($0.ours.processor) / 1e6, Double($0.peers.processor) / 1e6) }, " ms",
            picture.target.map { .most($0) } ?? .none)
        return [time] + similarity.rows(name) + [
            row("bytes", bytes, " kB", .none), row("peak memory", [(memory.ours, memory.peers)], " MiB", .none),
        ]
    }

    /// A row that says so, with what the peer takes.
    private func refused(_ reason: String, _ output: String) throws -> ResultRow {
        let peers = try ThumbnailProcess(
            peer: peer, input: input, side: picture.side, outputFormat: "jpeg", output: output)
        let jobs = try pace.jobs(warming: peers)
        let times = try (0..<pace.rounds).map { _ in Double(try peers.measure(jobs: jobs).processor) / 1e6 }
        _ = try peers.end()
        return ResultRow(
            what: "\(picture.name): processor time", ours: "refused: \(reason)",
            peers: Ratios(times).median.text + " ms",
            measured: Ratios([]), target: picture.target.map { .most($0) } ?? .none)
    }

    /// By the bytes, as the daemon decides before it asks a worker.
    static func format(of path: String) throws -> SourceFormat? {
        let signature = try signature(of: path)
        if signature == .heic || signature == .avif { return .heif }
        return SourceFormat.allCases.first { "\($0)" == signature?.rawValue }
    }

    private static func label(of path: String) throws -> String {
        try signature(of: path)?.label ?? "of no known media type"
    }

    private static func signature(of path: String) throws -> MediaSignature? {
        let bytes = try FileSystem.contents(of: path)
        return MediaSignature.of(bytes.span)
    }
}

import Base
import BenchProcess
import BenchReport
import LinuxIO
import NotificationModel

/// A comparison of a warm worker with programs that are started for each image. The results have no target.
struct ProgramComparison {
    private static let side = 512

    let input: String
    let pace: Pace

    func rows(in directory: String) throws -> [ResultRow] {
        guard let format = try ImageComparison.format(of: input) else {
            throw BenchFailure("\(input) is not an image that the transcoder reads")
        }
        let output = "\(directory)/warm-"
        let ours = try WarmProcess(input: input, format: format, sides: [Self.side], outputs: output)
        guard case .ready(_, let width, let height) = try ours.readiness() else {
            throw BenchFailure("the worker refuses \(input)")
        }
        var usages: [JobUsage] = []
        var peers: [ProgramPeer: [ProcessUsage]] = [:]
        for round in 0...pace.rounds {
            let usage = try ours.measure(jobs: 1)
            if round > 0 { usages.append(usage) }
            for peer in ProgramPeer.allCases {
                let words = peer.words(input: input, side: Self.side, output: Self.output(of: peer, directory))
                let usage = try MeasuredProcess(peer.executable, words).end()
                if round > 0 { peers[peer, default: []].append(usage) }
            }
        }
        let peak = try ours.end()
        let reference = try ImageReference(of: input, width: width, height: height, in: directory)
        let similarity = try reference.similarity(of: "\(output)\(Self.side)")
        return try ProgramPeer.allCases.flatMap { peer in
            let path = Self.output(of: peer, directory)
            return rows(
                peer, usages, peers[peer] ?? [], peak, (similarity, try reference.similarity(of: path)),
                FileSystem.size(of: path) ?? 0)
        }
    }

    private static func output(of peer: ProgramPeer, _ directory: String) -> String {
        "\(directory)/\(peer.rawValue).jpg"
    }

    private func rows(
        _ peer: ProgramPeer, _ ours: [JobUsage], _ theirs: [ProcessUsage], _ peak: Int,
        _ similarity: (ours: Double, peers: Double), _ bytes: Int
    ) -> [ResultRow] {
        let name = "\(InputImage.baseline.words) → \(Self.side), a warm worker beside `\(peer.rawValue)`"
        let pairs = zip(ours, theirs)
        return [
            ResultRow("\(name): time", pairs.map { (Double($0.wall) / 1e6, $1.wall.seconds * 1_000) }, " ms"),
            ResultRow(
                "\(name): processor time", pairs.map { (Double($0.processor) / 1e6, $1.processor.seconds * 1_000) },
                " ms"),
            ResultRow(
                "\(name): peak memory", theirs.map { (Double(peak) / 1_024, Double($0.peakKilobytes) / 1_024) }, " MiB"),
            ResultRow(similarity: "\(name): SSIM", similarity),
            ResultRow(
                "\(name): bytes", ours.suffix(1).map { (Double($0.bytes) / 1_000, Double(bytes) / 1_000) }, " kB"),
        ]
    }
}

import Base
import BenchProcess
import BenchReport
import LinuxIO
import MediaTranscoder
import NotificationModel

/// A run of all cases in order, which writes the result tables at the end.
struct BenchRun {
    private static let allCases = [
        "jpeg", "progressive", "png", "gif", "avif", "heic", "webp", "renditions", "sandbox", "processes",
        "videos",
    ]

    private let pace: Pace
    private let cases: Set<String>
    private let fixtures: String
    private let peer: String
    private let results: String?

    init(_ arguments: Arguments) throws {
        let isQuick = arguments["quick"] != nil
        pace = Pace(rounds: try arguments.number("rounds", else: isQuick ? 2 : 9), turn: isQuick ? 1 : 250_000_000)
        cases = try arguments.cases(of: Self.allCases)
        fixtures = arguments["fixtures"] ?? "fixtures"
        let executable = try FileSystem.currentExecutable()
        let directory =
            arguments["peers"] ?? String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
        peer = directory + "/vips-thumbnail"
        results = arguments["results"]
        guard !hasImages || FileSystem.isExecutable(peer) else {
            throw BenchFailure("\(peer) is missing: make bench builds it; --peers names its directory")
        }
        guard FileSystem.isRegularFile(fixtures + "/media/photo-12mp.jpg") else {
            throw BenchFailure("--fixtures \(fixtures) has no media: name the project's fixtures")
        }
    }

    func run() throws {
        let directory = try TemporaryDirectory()
        let inputs = InputDirectory(in: directory.path, fixtures: fixtures)
        var (table, stages) = (ResultTable(), ResultTable(head: StageRow.head))
        func add(_ rows: [ResultRow], to table: inout ResultTable) {
            for row in rows { Console.say(row.cells.joined(separator: "  ")) }
            table.lines += rows.map(\.cells)
        }
        let heading = BenchEnvironment.lines(versions: try versions())
        heading.forEach(Console.say)
        func add(_ row: StageRow, to stages: inout ResultTable) {
            Console.say(zip(StageRow.head, row.cells).map { "\($0) \($1)" }.dropFirst().joined(separator: ", "))
            stages.lines.append(row.cells)
        }
        for image in ImageCase.all where cases.contains(image.group) {
            let comparison = ImageComparison(
                image: image, input: try inputs.path(of: image.input), peer: peer, pace: pace)
            let (rows, row) = try comparison.run(in: directory.path)
            add(rows, to: &table)
            if let row { add(row, to: &stages) }
        }
        if cases.contains("renditions") {
            let comparison = RenditionComparison(input: try inputs.path(of: .baseline), pace: pace)
            add(try comparison.rows(in: directory.path), to: &table)
        }
        if cases.contains("sandbox") {
            let comparison = SandboxComparison(
                input: try inputs.path(of: .photo), small: fixtures + "/media/photo-small.jpg", pace: pace)
            add(try comparison.rows(in: directory.path), to: &table)
        }
        if cases.contains("processes") {
            let comparison = ProgramComparison(input: try inputs.path(of: .baseline), pace: pace)
            add(try comparison.rows(in: directory.path), to: &table)
        }
        var (videos, videoStages) = (ResultTable(), ResultTable(head: StageRow.head))
        if cases.contains("videos") {
            for job in VideoCase.allCases {
                let comparison = VideoComparison(job: job, input: try inputs.path(of: job.input), pace: pace)
                let (rows, row) = try comparison.run(in: directory.path)
                add(rows, to: &videos)
                add(row, to: &videoStages)
            }
        }
        guard let results else { return }
        let surroundings = heading + ["Inputs: \(inputs.sizes)", "Load after: \(BenchEnvironment.load)"]
        var parts: [String] = []
        if hasImages {
            parts.append(
                ImageDocument(surroundings: surroundings, rounds: pace.rounds, table: table, stages: stages).text)
        }
        if cases.contains("videos") {
            parts.append(
                VideoDocument(surroundings: surroundings, rounds: pace.rounds, table: videos, stages: videoStages).text)
        }
        try FileSystem.write(Array(parts.joined(separator: "\n").utf8), toFile: results)
    }

    private var hasImages: Bool { cases != ["videos"] }

    private func versions() throws -> String {
        var versions: [String] = []
        if hasImages { versions.append("libvips \(try Self.message(of: peer, "--version"))") }
        versions.append("FFmpeg \(WorkerDescription.json(sandbox: .null)["ffmpeg"]?.string ?? "unknown")")
        if cases.contains("videos") {
            let version = try Self.message(of: "/bin/sh", "-c", "exec \(VideoPeer.thumbnailer) -v >&3")
            versions.append("ffmpegthumbnailer \(version.split { $0 == " " || $0 == "\n" }.dropFirst(2).first ?? "")")
        }
        return versions.joined(separator: ", ")
    }

    /// Returns the message that a program writes to descriptor 3.
    private static func message(of program: String, _ words: String...) throws -> String {
        let process = try MeasuredProcess(program, words)
        let message = try process.receive()
        _ = try process.end()
        return message
    }
}

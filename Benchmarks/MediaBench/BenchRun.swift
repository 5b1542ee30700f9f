import BenchProcess
import BenchReport
import JSON
import LinuxIO
import MediaTranscoder
import NotificationModel

/// All cases one after the other, and the tables at the end.
struct BenchRun {
    private static let allCases = [
        "jpeg", "progressive", "png", "gif", "avif", "heic", "webp", "renditions", "sandbox", "processes",
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
        guard FileSystem.isExecutable(peer) else {
            throw BenchFailure("\(peer) is missing: make bench builds it; --peers names its folder")
        }
        guard FileSystem.isRegularFile(fixtures + "/media/photo-12mp.jpg") else {
            throw BenchFailure("--fixtures \(fixtures) has no media: name the project's fixtures")
        }
    }

    func run() throws {
        let directory = try TemporaryDirectory()
        let inputs = InputDirectory(in: directory.path, fixtures: fixtures)
        var (table, stages) = (ResultTable(), ResultTable(head: StageRow.head))
        func add(_ rows: [ResultRow]) {
            for row in rows { Console.say(row.cells.joined(separator: "  ")) }
            table.lines += rows.map(\.cells)
        }
        let heading = Surroundings.lines(versions: try versions())
        heading.forEach(Console.say)
        for picture in ImageCase.all where cases.contains(picture.group) {
            let comparison = ImageComparison(
                picture: picture, input: try inputs.path(of: picture.input), peer: peer, pace: pace)
            let (rows, row) = try comparison.run(in: directory.path)
            add(rows)
            if let row {
                Console.say(zip(StageRow.head, row.cells).map { "\($0) \($1)" }.dropFirst().joined(separator: ", "))
                stages.lines.append(row.cells)
            }
        }
        if cases.contains("renditions") {
            add(try RenditionComparison(input: inputs.path(of: .baseline), pace: pace).rows(in: directory.path))
        }
        if cases.contains("sandbox") {
            let comparison = SandboxComparison(
                input: try inputs.path(of: .photo), small: fixtures + "/media/photo-small.jpg", pace: pace)
            add(try comparison.rows(in: directory.path))
        }
        if cases.contains("processes") {
            add(try ProgramComparison(input: inputs.path(of: .baseline), pace: pace).rows(in: directory.path))
        }
        guard let results else { return }
        let document = ImageDocument(
            surroundings: heading + ["Inputs: \(inputs.sizes)", "Load after: \(Surroundings.load)"],
            rounds: pace.rounds,
            table: table, stages: stages)
        try FileSystem.write(Array(document.text.utf8), toFile: results)
    }

    private func versions() throws -> String {
        let process = try MeasuredProcess(peer, ["--version"])
        let vips = try process.receive()
        _ = try process.end()
        let ffmpeg = WorkerDescription.json(sandbox: .null)["ffmpeg"]?.string
        return "libvips \(vips), FFmpeg \(ffmpeg ?? "unknown")"
    }
}

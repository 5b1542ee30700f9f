import Base
import BenchProcess
import BenchReport
import LinuxIO
import NotificationModel

/// A benchmark that processes many notifications with the same image at once.
struct Crowd {
    let notifications: Int
    let rounds: Int

    func rows(from origin: borrowing NginxOrigin, in directory: String) throws -> [ResultRow] {
        var fetches: [Double] = []
        var transcodes: [Double] = []
        var usages: [ProcessUsage] = []
        var endings: Set<String> = []
        let executable = try FileSystem.currentExecutable()
        for _ in 0..<rounds {
            let root = try TemporaryDirectory(in: directory)
            var arguments = Arguments()
            arguments["worker"] = "crowd"
            arguments["address"] = origin.mediaAddress + "photo-12mp.jpg"
            arguments["count"] = "\(notifications)"
            arguments["root"] = root.path
            arguments["transcoder"] =
                executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)] + "/appgroupd-transcode"
            let before = origin.mediaAnswers
            let worker = try MeasuredProcess(worker: arguments)
            let reported = try worker.receive().split(separator: "\n")
            usages.append(try worker.end())
            fetches.append(Double(origin.mediaAnswers - before))
            transcodes.append(reported.first.flatMap { Double($0) } ?? .nan)
            endings.insert(reported.last.map(String.init) ?? "none")
        }
        let name = "\(notifications) notifications at once with one 12-megapixel picture"
        let outcomes = endings.sorted().joined(separator: "; ")
        func row(_ what: String, _ values: [Double], _ target: ResultRow.Target) -> ResultRow {
            ResultRow(what: "\(name): \(what)", ours: outcomes, peers: "–", measured: Ratios(values), target: target)
        }
        return [
            row("fetches from the origin", fetches, .exactly(1)),
            row("transcodes", transcodes, .exactly(1)),
            row("time, s", usages.map(\.wall.seconds), .none),
            row("processor time, s", usages.map(\.processor.seconds), .none),
            row("peak private memory, MiB", usages.map { Double($0.peakPrivateKilobytes) / 1_024 }, .none),
        ]
    }
}

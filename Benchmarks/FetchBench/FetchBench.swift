import BenchProcess
import Glibc
import LinuxIO

/// Measures the fetcher against curl, and its promises about stalled origins, cancels and crowds, in one run.
///
/// Every figure is a ratio of two processes that do the same work one after the other, round by round: the machine may be
/// busy with other things, and both meet the same. Ours is `fetch-bench-worker`, which is the fetcher and nothing else, or
/// this program again, started as `--worker`, where the store or the pipeline takes part: processor time and memory are
/// those of a whole process on either side. The origin is nginx on the loopback.
///
///     fetch-bench [--quick] [--rounds N] [--only downloads,stalled,cancel,crowd] [--fixtures FOLDER] [--results FILE]
@main
struct FetchBench {
    private static let vocabulary = Arguments.Vocabulary(
        flags: ["quick", "secure", "shipped"],
        names: [
            "address", "ca-file", "count", "fixtures", "hosts", "only", "parallel", "port", "results", "root", "rounds",
            "stalled-address", "stalled", "transcoder", "worker",
        ])

    static func main() async {
        do {
            try ResourceLimits.raiseOpenFiles()
            try ResourceLimits.widenDescriptorTable()
            let arguments = try Arguments(CommandLine.arguments.dropFirst(), of: vocabulary)
            if let kind = arguments["worker"] {
                try await StoreWorker(arguments).run(kind)
            } else {
                try await BenchRun(arguments).run()
            }
        } catch {
            Console.complain("fetch-bench: \(error)")
            exit(1)
        }
    }
}

import BenchProcess
import Glibc
import LinuxIO

/// The benchmark of the fetcher: it compares the fetcher with curl, and measures stalled origins, cancellations and
/// many requests for one image.
///
/// Each number is a ratio of two processes, which do the same work one after the other in each round. Other work on the
/// machine affects both processes. Our side is `fetch-bench-worker`, which contains only the fetcher. If the store or
/// the pipeline takes part, our side is this program again, started with `--worker`. Processor time and memory are
/// those of a whole process on both sides. The origin is nginx on the loopback.
///
/// The results are rows on standard output, and a page if `--results` names a file. A missing program or fixture, and a
/// worker that fails, end the run with status 1. The main task starts the child processes and waits for them. The
/// stalling origin runs on a thread of its own. A user cancels the run with ^C.
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
            Console.warn("fetch-bench: \(error)")
            exit(1)
        }
    }
}

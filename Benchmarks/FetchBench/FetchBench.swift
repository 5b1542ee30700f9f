import Glibc
import LinuxIO

/// Measures the fetcher against curl, and its promises about stalled origins, cancels and crowds, in one run.
///
/// Every figure is a ratio of two processes that do the same work one after the other, round by round: the machine may be
/// busy with other things, and both meet the same. Ours is this program again, started as `--worker`, so that processor
/// time and memory are those of a whole process on either side. The origin is nginx on the loopback.
///
///     fetch-bench [--quick] [--rounds N] [--only downloads,stalled,cancel,crowd] [--fixtures FOLDER] [--results FILE]
@main
struct FetchBench {
    static func main() async {
        do {
            try ResourceLimits.raiseOpenFiles()
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if let kind = arguments["worker"] {
                try await Worker(arguments).run(kind)
            } else {
                try await BenchRun(arguments).run()
            }
        } catch {
            complain("fetch-bench: \(error)")
            exit(1)
        }
    }

    /// A line on standard error.
    static func complain(_ line: String) {
        try? FileSystem.write(Array((line + "\n").utf8)[...], to: STDERR_FILENO)
    }

    /// A line on standard output.
    static func say(_ line: String) {
        try? FileSystem.write(Array((line + "\n").utf8)[...], to: STDOUT_FILENO)
    }
}

/// What went wrong, in a sentence.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

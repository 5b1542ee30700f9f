import BenchProcess
import FetchWork
import Glibc
import LinuxIO

/// What `fetch-bench` measures beside curl: the fetcher as a program of its own, as the curl tool is libcurl's.
///
///     fetch-bench-worker --worker downloads|stalled|cancel|nothing --root FOLDER --address URL …
@main
struct FetchWorkerProgram {
    static func main() async {
        // As `appgroupd serve` does.
        ProgramPages.letGo()
        do {
            try ResourceLimits.raiseOpenFiles()
            try ResourceLimits.widenDescriptorTable()
            let arguments = try Arguments(CommandLine.arguments.dropFirst(), of: FetchWorker.vocabulary)
            // As in the daemon, the first thread ends before anything is fetched: that reads a table of each library.
            try await Task.detached { try await FetchWorker(arguments).run(arguments.required("worker")) }.value
        } catch {
            Console.complain("fetch-bench-worker: \(error)")
            exit(1)
        }
    }
}

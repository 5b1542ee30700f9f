import BenchProcess
import Dispatch
import FetchWork
import Glibc
import LinuxIO

/// What `fetch-bench` measures beside curl: the fetcher as a program of its own, as the curl tool is libcurl's.
///
///     fetch-bench-worker --worker downloads|stalled|cancel|nothing --root FOLDER --address URL …
@main
struct FetchWorkerProgram {
    static func main() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try ResourceLimits.raiseOpenFiles()
                try ResourceLimits.widenDescriptorTable()
                let arguments = try Arguments(CommandLine.arguments.dropFirst(), of: FetchWorker.vocabulary)
                try await FetchWorker(arguments).run(arguments.required("worker"))
            } catch {
                Console.complain("fetch-bench-worker: \(error)")
                exit(1)
            }
            done.signal()
        }
        done.wait()
    }
}

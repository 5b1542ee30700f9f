import BenchProcess
import Dispatch
import FetchWork
import Glibc
import LinuxIO

/// The program that `fetch-bench` compares with curl. The program contains only the fetcher, because the curl tool
/// contains little more than libcurl.
///
/// `FetchWorker` does the work and checks the arguments. The work runs in one detached task, and the main thread waits
/// for its end. The program exits with status 1 after an error.
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
                Console.warn("fetch-bench-worker: \(error)")
                exit(1)
            }
            done.signal()
        }
        done.wait()
    }
}

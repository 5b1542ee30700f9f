import Glibc
import LinuxIO
import MediaTranscoder
import Sandbox
import TranscodeProtocol

// appgroupd-transcode: the worker that decodes untrusted media. Started by appgroupd, never by people.
//
// Jobs arrive as messages on descriptor 3, each with the descriptors of its input and outputs; one reply leaves for
// each. The worker opens nothing itself. It ends when the socket closes, when its parent dies, or when it is killed.
// With `--describe` it takes no jobs: it raises its sandbox, reports what it is made of, and ends.

guard let options = WorkerOptions(arguments: CommandLine.arguments.dropFirst()) else {
    refuse("this version does not know these options: install it and appgroupd from one package")
}
guard options.describes || WorkerLoop.hasSocket else { refuse("appgroupd starts this program; run 'appgroupd --help'") }
do {
    try work(options)
} catch {
    exit(3)
}

/// Takes jobs until the socket closes, inside the sandbox.
func work(_ options: WorkerOptions) throws(SystemError) {
    if options.isForWarming { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
    let descriptor = WorkerLoop.hasSocket ? WorkerLoop.descriptor : STDOUT_FILENO
    let report = try WorkerSandbox.apply(
        as: options.user, reportingTo: descriptor, mark: TranscodeWire.violationMark, warming: MediaTranscoder.prepare)
    if options.describes { return try WorkerReport.send(report, to: descriptor) }
    if let missing = report.missing(for: options.requirement).first {
        throw SystemError("\(missing.layer)", errno: EPERM)
    }
    WorkerLoop().run()
}

/// Ends with status 2, since the command line cannot be used.
func refuse(_ problem: String) -> Never {
    try? FileSystem.write(Array("appgroupd-transcode: \(problem)\n".utf8)[...], to: STDERR_FILENO)
    exit(2)
}

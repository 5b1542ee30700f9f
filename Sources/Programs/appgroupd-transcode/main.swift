import Glibc
import LinuxIO
import MediaTranscoder
import Sandbox
import TranscodeProtocol

// appgroupd-transcode is the worker that decodes untrusted media. Only appgroupd starts it.
//
// The input is one message on descriptor 3 for each job, with the descriptors of its source and its outputs. The output
// is the renditions and one reply for each job. The worker opens no files itself.
//
// The worker refuses unknown options, and a message that is not a job. It takes no jobs if a required layer of the
// sandbox is missing. With `--describe`, it applies the sandbox, reports its layers and its libraries, and ends.
//
// All work runs on the main thread, one job after another. The worker ends when the socket closes or when its parent
// dies. The pool of the daemon cancels a job by killing the worker.

guard let options = WorkerOptions(arguments: CommandLine.arguments.dropFirst()) else {
    refuse("this version does not know these options: install it and appgroupd from one package")
}
if let build = options.build, build != Build.commit {
    refuse("this program is of build \(Build.commit), and appgroupd of \(build): install both from one package")
}
Build.nameProcess("appgroupd-transcode")
guard options.describes || WorkerLoop.hasSocket else { refuse("appgroupd starts this program; run 'appgroupd --help'") }
do {
    try work(options)
} catch {
    exit(3)
}

/// Runs the worker in its sandbox: it takes jobs until the socket closes, or writes its description.
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

/// Ends with status 2, because the command line is invalid.
func refuse(_ problem: String) -> Never {
    try? FileSystem.write(Array("appgroupd-transcode: \(problem)\n".utf8)[...], to: STDERR_FILENO)
    exit(WorkerOptions.refusal)
}

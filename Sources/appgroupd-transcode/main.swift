import Glibc
import LinuxIO
import MediaTranscoder
import TranscodeProtocol

// appgroupd-transcode: the worker that decodes untrusted media. Started by appgroupd, never by people.
//
// Jobs arrive as messages on descriptor 3, each with the descriptors of its input and outputs; one reply leaves for
// each. The worker opens nothing itself. It ends when the socket closes, when its parent dies, or when it is killed.
// With `--describe` it takes no jobs: it raises its walls, tells what it is made of, and ends.

if CommandLine.arguments.dropFirst().elementsEqual(["--describe"]) {
    WorkerSandbox.apply()
    WorkerReport.send()
    exit(0)
}
guard let jobs = WorkerLoop.inheritedSocket() else {
    try? FileSystem.write(
        Array("appgroupd-transcode is started by appgroupd; run 'appgroupd --help'\n".utf8)[...], to: STDERR_FILENO)
    exit(2)
}
WorkerSandbox.apply()
MediaTranscoder.prepare()
WorkerLoop(socket: jobs).run()

import Glibc
import LinuxIO
import MediaTranscoder
import TranscodeProtocol

// appgroupd-transcode: the worker that decodes untrusted media. Started by appgroupd, never by people.
//
// Jobs arrive as messages on descriptor 3, each with the descriptors of its input and outputs; one reply leaves for
// each. The worker opens nothing itself. It ends when the socket closes, when its parent dies, or when it is killed.

guard let jobs = WorkerLoop.inheritedSocket() else {
    try? FileSystem.write(
        Array("appgroupd-transcode is started by appgroupd; run 'appgroupd --help'\n".utf8)[...], to: STDERR_FILENO)
    exit(2)
}
do throws(SystemError) {
    // A 12 MP photo takes 48 MB, 1080p to 720p 176 MB (measured); a bomb does not fit.
    try ResourceLimits(dataBytes: 256 << 20, fileBytes: 64 << 20, openFiles: 64).bindCurrentProcess()
} catch {
    exit(3)
}
MediaTranscoder.prepare()
WorkerLoop(socket: jobs).run()

import EscapeCalls
import Glibc
import LinuxIO
import MediaTranscoder
import Sandbox
import TranscodeProtocol

// A worker that tries to break out of the sandbox. It locks itself as appgroupd-transcode does, receives a job, and
// makes one system call that no decoder needs. If the worker survives, it replies to the job with the result of the
// call.
//
//     escaping-worker WAY DIRECTORY PORT [the daemon's options]

do { try escape(CommandLine.arguments) } catch { exit(3) }

func escape(_ arguments: [String]) throws {
    guard arguments.count > 3, let port = Int32(arguments[3]),
        let options = WorkerOptions(arguments: arguments.dropFirst(4))
    else { exit(2) }
    let (way, parent) = (arguments[1], getppid())
    let report = try WorkerSandbox.apply(
        as: options.user, reportingTo: 3, mark: TranscodeWire.violationMark, warming: MediaTranscoder.prepare)
    let socket = MessageSocket(OwnedDescriptor(adopting: 3))
    guard report.missing(for: .filter).isEmpty, let message = try socket.receive(upTo: TranscodeWire.maxBytes) else {
        exit(3)
    }
    let job = try TranscodeWire.decodeJob(message.bytes)
    var result = 0
    let isKnown = arguments[2].withCString { directory in
        var place = agd_escape_place(
            directory: directory, input: message.descriptors[0], output: message.descriptors[1],
            last_output: message.descriptors[message.descriptors.count - 1], port: port, parent: parent)
        return agd_escape(way, &place, &result) == 0
    }
    let words = isKnown ? "escaped: \(way), with the result \(result)" : "there is no way \(way)"
    let reply = TranscodeReply(id: job.id, result: .failure(TranscodeFailure(.internalFault, words)))
    try FileSystem.write(TranscodeWire.encode(reply)[...], to: 3)
    // The worker waits here until the daemon ends it.
    _ = try socket.receive(upTo: 1)
}

import EscapeCalls
import Glibc
import LinuxIO
import MediaTranscoder
import Sandbox
import TranscodeProtocol

// A worker that tries to break out: it locks itself as appgroupd-transcode does, takes a job, and makes one call that a
// decoder has no use for. A worker that is still there answers the job and reports the result of the call.
//
//     escaping-worker INDEX DIRECTORY [the daemon's options]

do { try escape(CommandLine.arguments) } catch { exit(3) }

func escape(_ arguments: [String]) throws {
    guard arguments.count > 2, let index = Int(arguments[1]), index <= agd_escape_count(),
        let options = WorkerOptions(arguments: arguments.dropFirst(3))
    else { exit(2) }
    let report = try WorkerSandbox.apply(
        as: options.user, reportingTo: 3, mark: TranscodeWire.violationMark, warming: MediaTranscoder.prepare)
    let socket = MessageSocket(OwnedDescriptor(adopting: 3))
    guard report.missing(for: .filter).isEmpty, let message = try socket.receive(upTo: TranscodeWire.mostBytes) else {
        exit(3)
    }
    let job = try TranscodeWire.decodeJob(message.bytes)
    let result = arguments[2].withCString { directory in
        var place = agd_escape_place(
            directory: directory, input: message.descriptors[0], output: message.descriptors[1],
            last_output: message.descriptors[message.descriptors.count - 1])
        return agd_escape(index, &place)
    }
    let words = "way \(index) was made, with the result \(result)"
    let reply = TranscodeReply(id: job.id, result: .failure(TranscodeFailure(.internalFault, words)))
    try FileSystem.write(TranscodeWire.encode(reply)[...], to: 3)
    // The daemon ends it.
    _ = try socket.receive(upTo: 1)
}

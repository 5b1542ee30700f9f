import Base
import Foundation
import Glibc
import LinuxIO
import NotificationModel
import Sandbox
import TestSupport
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of media that refer to other files and hosts, which scripts/make-references writes. A worker opens no file
/// and makes no connection.
@Suite(.timeLimit(.minutes(3)))
struct NoInputOutputPlainTests {
    /// A directory of media that refer to a file and a host. The test detects each access to either of them.
    private final class Bait {
        let directory: TemporaryDirectory
        private let accesses: OwnedDescriptor
        private let listener: OwnedDescriptor
        let names: [String]

        init() throws {
            directory = try TemporaryDirectory()
            let canary = directory.path + "/canary.png"
            try FileSystem.replace(canary, with: try Fixtures.bytes("media/palette.png"))
            listener = try OwnedDescriptor.adopt(
                socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0), from: "socket")
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let raw = listener.raw
            let port = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(raw, address, length) == 0 && listen(raw, 16) == 0 && getsockname(raw, address, &length) == 0
                }
            }
            try #require(port)
            let maker = Process()
            maker.executableURL = URL(filePath: Fixtures.project + "/scripts/make-references")
            maker.arguments = [
                directory.path, canary, "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/canary.png",
            ]
            try maker.run()
            maker.waitUntilExit()
            try #require(maker.terminationStatus == 0)
            names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
                .filter { $0 != "canary.png" }
            accesses = try OwnedDescriptor.adopt(
                inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), from: "inotify_init1")
            try #require(inotify_add_watch(accesses.raw, canary, UInt32(IN_OPEN | IN_ACCESS)) >= 0)
        }

        /// Whether the file was not opened and no process connected to the port.
        var isUntouched: Bool {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let noAccess = read(accesses.raw, &buffer, buffer.count) == -1 && errno == EAGAIN
            return noAccess && accept(listener.raw, nil, nil) == -1 && errno == EAGAIN
        }
    }

    /// Returns a script that starts the real worker under strace. strace writes the worker's calls for files and
    /// sockets to the trace file.
    private static func traced(in directory: TemporaryDirectory) throws -> (script: String, trace: String) {
        let (script, trace) = (directory.path + "/worker", directory.path + "/trace")
        let line = "exec /usr/bin/strace -f -qq -o \(trace) -e trace=%file,%network,seccomp \(RealWorker.path) \"$@\""
        try FileSystem.replace(script, with: Array("#!/bin/sh\n\(line)\n".utf8))
        try #require(chmod(script, 0o755) == 0)
        return (script, trace)
    }

    /// Returns the calls after the sandbox was applied, without those that receive the messages of jobs.
    private static func calls(in trace: String) throws -> [Substring] {
        let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        let locking = try #require(lines.lastIndex { $0.contains("seccomp(SECCOMP_SET_MODE_FILTER") })
        #expect(lines[..<locking].contains { $0.contains("openat(") }, "strace saw nothing")
        return lines[(locking + 1)...].filter { !$0.contains("recvmsg(3,") && !$0.contains("<... recvmsg resumed>") }
    }

    @Test func `a worker that reads a reference in any format opens no file and no connection`() throws {
        let bait = try Bait()
        let place = try TemporaryDirectory()
        let (script, trace) = try Self.traced(in: place)
        #expect(bait.names.count >= 38)
        do {
            let worker = try WorkerProcess.start(WorkerProgram(script), WorkerOptions())
            var id: UInt32 = 0
            for name in bait.names {
                for format in MediaFormat.decoded {
                    id += 1
                    let work = try PoolWork(path: "\(bait.directory.path)/\(name)")
                    let order = RenditionSpec(
                        role: .attachment, imageSide: 64, videoSide: 64, copiedVideoSide: 64, imageBytes: 1 << 20,
                        jpegQuality: 85,
                        videoBytes: 1 << 20, soundBytes: 1 << 20)
                    try worker.send(
                        TranscodeJob(id: id, format: format, specs: [order]), input: work.source,
                        outputs: [try AnonymousFile.createInMemory()], processorTime: .seconds(10))
                    let message = try #require(
                        try worker.socket.receive(upTo: TranscodeWire.maxBytes, within: .seconds(20)), "\(name)")
                    #expect(try TranscodeWire.decodeReply(message.bytes).id == id, "\(name) as \(format)")
                }
            }
        }
        #expect(try Self.calls(in: trace).filter { !$0.contains("+++") && !$0.contains("---") } == [])
        #expect(bait.isUntouched)
    }

    @Test func `a pool never shows the file or host to which a media item refers`() async throws {
        let bait = try Bait()
        let place = try TemporaryDirectory()
        let (script, trace) = try Self.traced(in: place)
        try await withPool(of: script) { pool in
            for name in bait.names {
                let result = try await PoolWork(path: "\(bait.directory.path)/\(name)").run(in: pool)
                switch result {
                case .success(let set): #expect(set.renditions[0].info.width <= 8, "\(name)")
                case .failure(let failure):
                    #expect([.unsupportedMedia, .corruptMedia].contains(failure.reason), "\(name): \(failure)")
                }
            }
        }
        #expect(try Self.calls(in: trace).filter { !$0.contains("+++") && !$0.contains("---") } == [])
        #expect(bait.isUntouched)
    }
}

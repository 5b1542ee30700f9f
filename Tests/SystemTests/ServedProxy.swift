import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// A process of `appgroupd lab proxy`.
final class ServedProxy: Sendable {
    struct Answer: Sendable {
        let status: Int
        /// The lines of the headers.
        let fields: [String]
        let body: [UInt8]

        /// Returns the last value of a header. The name is in lower case.
        func value(_ name: String) -> String? {
            fields.last { $0.lowercased().hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    let log: ServedLog
    /// The first line of the output, which the proxy prints when it is ready.
    let ready: String
    private let process: Process
    private let ending: Ending
    private let loop: EventLoop

    /// Starts a proxy, calls `body`, and ends the proxy with SIGTERM.
    static func run<Value>(_ arguments: String..., body: (ServedProxy) async throws -> Value) async throws -> Value {
        let loop = try EventLoop.start(name: "agd-served")
        defer { loop.shutdown() }
        let proxy = try await ServedProxy(arguments, on: loop)
        do {
            let value = try await body(proxy)
            await proxy.terminate()
            return value
        } catch {
            await proxy.terminate()
            throw error
        }
    }

    private init(_ arguments: [String], on loop: EventLoop) async throws {
        self.loop = loop
        let (log, writer) = try ServedLog.open(on: loop)
        self.log = log
        process =
            ParentBoundCommand(
                BuiltProducts.appgroupd, ["lab", "proxy", "--listen", "127.0.0.1:0"] + arguments
            ).process()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: writer)
        process.standardError = FileHandle(fileDescriptor: writer)
        let ending = Ending()
        self.ending = ending
        process.terminationHandler = { _ in ending.finish() }
        do { try process.run() } catch {
            close(writer)
            throw error
        }
        close(writer)
        ready = try await log.lines.first { _ in true }
    }

    /// Sends SIGTERM, and waits for the end of the process.
    ///
    /// - Returns: The exit status.
    @discardableResult
    func terminate() async -> Int32 {
        process.terminate()
        await ending.wait()
        return process.terminationStatus
    }

    var port: UInt16 {
        get throws {
            let address = try #require(ready.split(separator: " ").first)
            return try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        }
    }

    /// Sends one request on its own connection. The call blocks a thread of its own.
    func get(_ target: String, _ fields: String = "") async throws -> Answer {
        let port = try port
        let request = "GET \(target) HTTP/1.1\r\nHost: lab\r\nConnection: close\r\n\(fields)\r\n"
        let bytes = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.exchange(request, port) }) }
        }
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
        let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return Answer(status: status, fields: Array(lines.dropFirst()), body: Array(bytes[end.upperBound...]))
    }

    private static func exchange(_ request: String, _ port: UInt16) throws -> [UInt8] {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw SystemError.last("socket") }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw SystemError.last("connect") }
        try FileSystem.write(Array(request.utf8)[...], to: socket)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(socket, &piece, piece.count)
            guard count >= 0 else { throw SystemError.last("read") }
            guard count > 0 else { return bytes }
            bytes += piece.prefix(count)
        }
    }
}

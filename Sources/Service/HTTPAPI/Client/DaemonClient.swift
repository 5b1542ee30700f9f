import Base
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A client of a running daemon over its unix socket or over TCP, for commands such as `status`, `cancel`, `events` and
/// `warm`.
///
/// Each request has a connection of its own, which is closed after the response or when the task is cancelled. The
/// client sets no time limit: a caller with a limit cancels its task.
package struct DaemonClient: Sendable {
    package struct Answer: Sendable, Equatable {
        package var status: Int
        /// The header fields, with names in lower case. If a field is repeated, the last one is used.
        package var headers: [String: String]
        package var body: [UInt8]

        package init(status: Int, headers: [String: String], body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// The maximum size of a response, in bytes. The daemon sends contents and small JSON, so a larger response is an
    /// error.
    static let maxAnswerBytes = 64 << 20
    /// The maximum size of a line of an event or of a result, in bytes. A result repeats its payload, which has at most
    /// 4 MiB.
    static let maxLineBytes = 32 << 20

    private typealias Exchange = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The path of the socket, or the URL of the address, for error messages.
    private let path: String
    /// The TCP address of the daemon; `nil` if the client uses a unix socket.
    private let address: (host: String, port: Int)?
    /// The bearer token; `nil` if requests have none.
    private let token: String?

    package init(socketPath: String) {
        path = socketPath
        address = nil
        token = nil
    }

    package init(host: String, port: Int, token: String? = nil) {
        self.token = token
        path = "http://\(HostAndPort.text(host, port))"
        address = (host, port)
    }

    /// Sends a request, and returns its response.
    ///
    /// - Parameter hasBegun: A closure that is called when the head of the response has arrived.
    /// - Throws: ``DaemonClientError``, `CancellationError`.
    package func request(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = [],
        hasBegun: @escaping @Sendable () -> Void = {}
    ) async throws -> Answer {
        try await exchange(method, target, headers, .bytes(body)) { parts in
            guard let head = try await Self.head(&parts) else {
                throw broken("it closed the connection without a response")
            }
            hasBegun()
            let (bytes, isWhole) = try await collect(&parts)
            guard isWhole else { throw broken("it closed the connection before the end of its response") }
            return Answer(status: Int(head.status.code), headers: Self.fields(head), body: bytes)
        }
    }

    /// Reads the lines of an event stream, without their line ends. Empty lines are included, because an empty line
    /// ends an event. The function returns when the daemon ends the stream. Cancelling the task closes the connection.
    ///
    /// - Parameter headers: The header fields, for example `Last-Event-ID` to resume.
    /// - Parameter take: A closure that receives one line after the other. The client reads no further bytes during the
    ///   call, so that a slow output fills no memory.
    /// - Throws: ``DaemonClientError``, `CancellationError`.
    package func forEachLine(
        of target: String, headers: [String: String] = [:], _ take: @escaping @Sendable (String) -> Void
    ) async throws {
        try await exchange("GET", target, headers, .bytes([])) { parts in
            _ = try await lines(&parts, take)
        }
    }

    /// Reads the lines of a response to `GET`, which must have its end.
    ///
    /// - Throws: ``DaemonClientError``, `CancellationError`.
    package func forEachLine(
        ofWhole target: String, _ take: @escaping @Sendable (String) -> Void
    ) async throws {
        try await exchange("GET", target, [:], .bytes([])) { parts in
            guard try await lines(&parts, take) else {
                throw broken("it closed the connection before the end of its response")
            }
        }
    }

    /// Sends a body in pieces, and reads the lines of the response in the meantime.
    ///
    /// - Parameter body: A function that returns the next piece, and an empty one at the end.
    /// - Parameter status: The status of a response with lines. Any other response is an error.
    /// - Parameter take: A closure that receives one line after the other, without their ends.
    /// - Throws: ``DaemonClientError``, `CancellationError`, the error of `body`.
    package func forEachLine(
        _ method: String, _ target: String, headers: [String: String] = [:],
        body: @escaping @Sendable () async throws -> [UInt8], accepting status: Int = 200,
        _ take: @escaping @Sendable (String) -> Void
    ) async throws {
        try await exchange(method, target, headers, .pieces(body)) { parts in
            guard try await lines(&parts, status: status, take) else {
                throw broken("it closed the connection before the end of its response")
            }
        }
    }

    /// Reads the lines of a response with this status, and returns whether the response has its end.
    @concurrent private func lines(
        _ parts: inout Parts, status: Int = 200, _ take: (String) -> Void
    ) async throws -> Bool {
        guard let head = try await Self.head(&parts) else {
            throw broken("it closed the connection without a response")
        }
        guard head.status.code == UInt(status) else {
            let (bytes, _) = try await collect(&parts)
            throw DaemonClientError.refused(status: Int(head.status.code), body: bytes)
        }
        return try await readLines(&parts, take)
    }

    // MARK: Opening of the connection

    private typealias Parts = NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

    /// The body of a request.
    private enum Body {
        case bytes([UInt8])
        /// A function that returns the next piece, and an empty one at the end.
        case pieces(@Sendable () async throws -> [UInt8])
    }

    @concurrent private func exchange<Result: Sendable>(
        _ method: String, _ target: String, _ headers: [String: String], _ body: Body,
        _ read: @concurrent (inout Parts) async throws -> Result
    ) async throws -> Result {
        let channel = try await connect()
        do {
            return try await channel.executeThenClose { inbound, outbound in
                var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target)
                head.headers.add(name: "host", value: address.map { HostAndPort.text($0.host, $0.port) } ?? "localhost")
                head.headers.add(name: "connection", value: "close")
                if let token { head.headers.add(name: "authorization", value: "Bearer \(token)") }
                for (name, value) in headers { head.headers.add(name: name, value: value) }
                // A daemon that answers before it has read the whole request may close the connection. The response is
                // used, and the failed write is ignored.
                switch body {
                case .bytes(let bytes):
                    if !bytes.isEmpty || method == "POST" {
                        head.headers.add(name: "content-length", value: "\(bytes.count)")
                    }
                    var request: [HTTPClientRequestPart] = [.head(head)]
                    if !bytes.isEmpty { request.append(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }
                    try? await outbound.write(contentsOf: request + [.end(nil)])
                    var parts = inbound.makeAsyncIterator()
                    return try await read(&parts)
                case .pieces(let next):
                    // The encoder adds the chunked coding, because the length is unknown.
                    return try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { [head] in
                            try? await outbound.write(.head(head))
                            while true {
                                let piece = try await next()
                                guard !piece.isEmpty else { break }
                                do { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: piece)))) } catch {
                                    return
                                }
                            }
                            try? await outbound.write(.end(nil))
                        }
                        var parts = inbound.makeAsyncIterator()
                        let result = try await read(&parts)
                        group.cancelAll()
                        return result
                    }
                }
            }
        } catch let error as DaemonClientError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw broken("\(error)")
        }
    }

    private func connect() async throws -> Exchange {
        do {
            let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            @Sendable func exchange(over channel: any Channel) -> EventLoopFuture<Exchange> {
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Exchange(wrappingChannelSynchronously: channel)
                }
            }
            if let address {
                return try await bootstrap.connect(
                    host: address.host, port: address.port, channelInitializer: exchange)
            }
            return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: exchange)
        } catch let error as NIOConnectionError {
            // The error of the last address is reported. Loopback has one or two addresses.
            guard let failure = error.connectionErrors.last?.error else {
                throw DaemonClientError.unreachable(path: path, problem: "the name \(error.host) cannot be resolved")
            }
            throw Self.refusal(of: path, failure)
        } catch {
            throw Self.refusal(of: path, error)
        }
    }

    /// Returns the error for a connection that cannot be opened.
    private static func refusal(of path: String, _ error: any Error) -> DaemonClientError {
        if let error = error as? IOError {
            switch error.errnoCode {
            case ENOENT, ENOTDIR: return .noSocket(path: path)
            case ECONNREFUSED: return .noListener(path: path)
            case EACCES, EPERM: return .notPermitted(path: path)
            default: return .unreachable(path: path, problem: String(cString: strerror(error.errnoCode)))
            }
        }
        return .unreachable(path: path, problem: "\(error)")
    }

    // MARK: Reading of the response

    /// Returns the final head, and skips interim responses (1xx).
    @concurrent private static func head(_ parts: inout Parts) async throws -> HTTPResponseHead? {
        while let part = try await parts.next() {
            if case .head(let head) = part, head.status.code >= 200 { return head }
        }
        return nil
    }

    @concurrent private func collect(_ parts: inout Parts) async throws -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        while let part = try await parts.next() {
            switch part {
            case .head: continue
            case .body(let buffer):
                guard bytes.count + buffer.readableBytes <= Self.maxAnswerBytes else {
                    throw DaemonClientError.answerTooLarge(path: path)
                }
                bytes += buffer.readableBytesView
            case .end: return (bytes, true)
            }
        }
        return (bytes, false)
    }

    /// Reads lines, and returns whether the response has its end.
    @concurrent private func readLines(_ parts: inout Parts, _ tell: (String) -> Void) async throws -> Bool {
        var line: [UInt8] = []
        while let part = try await parts.next() {
            if case .end = part {
                // The last line of a response may have no end.
                if !line.isEmpty { tell(String(decoding: line, as: UTF8.self)) }
                return true
            }
            guard case .body(let buffer) = part else { continue }
            for byte in buffer.readableBytesView {
                if byte == UInt8(ascii: "\n") {
                    tell(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                } else if line.count < Self.maxLineBytes {
                    line.append(byte)
                } else {
                    throw DaemonClientError.answerTooLarge(path: path)
                }
            }
        }
        return false
    }

    private static func fields(_ head: HTTPResponseHead) -> [String: String] {
        Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { _, last in last }
    }

    private func broken(_ problem: String) -> DaemonClientError { .broken(path: path, problem: problem) }
}

/// The reason why a request to the daemon failed.
package enum DaemonClientError: Error, Equatable, CustomStringConvertible {
    case noSocket(path: String)
    /// The file of the socket exists, and no daemon listens on it.
    case noListener(path: String)
    case notPermitted(path: String)
    case unreachable(path: String, problem: String)
    /// The connection ended before the response, or the response is not HTTP.
    case broken(path: String, problem: String)
    case answerTooLarge(path: String)
    /// The daemon sent a response in place of a stream. Its body is a problem, or a text for people.
    case refused(status: Int, body: [UInt8])

    package var description: String {
        switch self {
        case .noSocket(let path):
            "there is no socket \(path): start a daemon with serve, or name its socket with --socket"
        case .noListener(let path):
            "no daemon listens on \(path): start one with serve, or name the daemon that runs"
        case .notPermitted(let path):
            "\(path) this user is not permitted to use the socket: run the command as the daemon's user or as root"
        case .unreachable(let path, let problem): "cannot connect to \(path): \(problem)"
        case .broken(let path, let problem): "the daemon at \(path) sent no complete response: \(problem)"
        case .answerTooLarge(let path): "the response of the daemon at \(path) is too large"
        case .refused(let status, let body): "the daemon answered \(status): \(String(decoding: body, as: UTF8.self))"
        }
    }
}

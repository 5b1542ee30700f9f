import ArgumentParser
import Base
import FeatureKit
import Glibc
import HTTPAPI
import LinuxIO
import NotificationModel

struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show the requests, hosts and workers of a running daemon, each second.",
        discussion: """
            `requests` are those in progress and their rates. `times` are from the acceptance to the result, and `slack` \
            is the time that was left until the deadline. The hosts are those from which media were fetched in the last \
            minutes, with the time to the first byte of a response.

            Keys: q ends, p pauses, and s sorts the hosts by requests, failures, slow or bytes.

            Without a terminal, or with --once, one frame is printed as text.

            Status 1: no daemon answers at the start, or the daemon is not ready (--once).

            Examples:
              appgroupd top --root ./var
              appgroupd top --root ./var --once --sort slow
            """)

    @Flag(help: "Print one frame as text, and end.")
    var once = false

    @Option(help: "The order of the hosts: requests, failures, slow or bytes.")
    var sort = HostOrder.requests

    @OptionGroup var query: DaemonQuery

    /// The time between two frames.
    private static let pause: Duration = .seconds(1)
    /// The maximum time for an answer, so that a daemon that does not answer is shown as such soon.
    private static let patience: Duration = .seconds(2)
    private static let maxHosts = 50

    func run() async throws {
        let client = try query.client()
        let first = try await Self.snapshot(of: client, by: sort)
        guard !once, let screen = TerminalScreen.begin() else {
            let frame = TopFrame(snapshot: first, order: sort)
            let width = StandardStreams.terminalColumns
            for line in frame.lines(width: width, height: nil, isColored: StandardStreams.isColored) {
                StandardStreams.output(line)
            }
            guard first.status["ready"]?.bool == true else { throw CommandFailure(.failed) }
            return
        }
        defer { screen.end() }
        let keys = try CommandFailure.wrapping("the thread of the keys cannot be started") {
            try EventLoop.start(name: "agd-keys")
        }
        defer { keys.shutdown() }
        await Self.show(TopFrame(snapshot: first, order: sort), on: screen, of: client, keys)
    }

    private enum Event: Sendable {
        case tick
        case key(UInt8)
        case end
    }

    /// Draws frames until the key `q` or a signal.
    private static func show(
        _ first: TopFrame, on screen: TerminalScreen, of client: DaemonClient, _ keys: EventLoop
    ) async {
        var frame = first
        let (events, arrival) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
        TerminalScreen.readKeys(on: keys) { arrival.yield(.key($0)) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await TerminationSignal.wait()
                arrival.yield(.end)
            }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: pause)
                    arrival.yield(.tick)
                }
            }
            defer { group.cancelAll() }
            draw(frame, on: screen)
            for await event in events {
                switch event {
                case .end, .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")): return
                case .key(UInt8(ascii: "p")), .key(UInt8(ascii: " ")): frame.isPaused.toggle()
                case .key(UInt8(ascii: "s")):
                    frame.order = frame.order.next
                    frame = await next(frame, of: client)
                case .tick where !frame.isPaused: frame = await next(frame, of: client)
                case .tick, .key: break
                }
                draw(frame, on: screen)
            }
        }
    }

    private static func draw(_ frame: TopFrame, on screen: TerminalScreen) {
        let size = screen.size
        screen.draw(frame.lines(width: size.columns, height: size.rows, isColored: StandardStreams.isColored))
    }

    /// Returns the next frame. If the daemon does not answer, the frame has the figures of the last answer.
    private static func next(_ frame: TopFrame, of client: DaemonClient) async -> TopFrame {
        var next = frame
        do {
            let snapshot = try await snapshot(of: client, by: frame.order)
            next = TopFrame(snapshot: snapshot, earlier: frame.snapshot, order: frame.order, isPaused: frame.isPaused)
        } catch {
            next.problem = (error as? CommandFailure)?.message ?? "\(error)"
        }
        return next
    }

    private static func snapshot(of client: DaemonClient, by order: HostOrder) async throws -> TopSnapshot {
        let status = try await client.report("/v1/status", within: patience)
        let hosts = try await client.report("/v1/hosts?sort=\(order.rawValue)&limit=\(maxHosts)", within: patience)
        return TopSnapshot(status: status, hosts: hosts, at: .now)
    }
}

extension HostOrder: ExpressibleByArgument {
    fileprivate var next: HostOrder {
        let all = Self.allCases
        return all.firstIndex(of: self).map { all[($0 + 1) % all.count] } ?? .requests
    }
}

extension DaemonClient {
    /// Returns a report of the daemon as JSON.
    ///
    /// - Throws: A failure with status 1 if the daemon does not answer, or answers with a problem.
    func report(_ target: String, within patience: Duration = Self.patience) async throws -> JSONValue {
        try await ask("GET", target, within: patience).value()
    }
}

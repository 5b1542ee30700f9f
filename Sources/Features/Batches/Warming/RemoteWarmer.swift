import Base
import FeatureKit
import HTTPAPI
import NotificationModel
import ServiceConfiguration

/// A warmer that lets a running daemon process the item (`POST /v1/warm`).
///
/// The item does not fail if the daemon has no room for it, has ended, or does not answer. In these cases the outcome
/// is `overloaded`, and the item is tried again. The daemon begins its response before it warms the item, so a missing
/// response means that the daemon is not running or does not respond.
struct RemoteWarmer: MediaWarming {
    let client: DaemonClient
    let watch: DaemonWatch
    /// The event that ends the run. After this event, the warmer waits for no item.
    let interruption: AsyncEvent

    func warm(_ item: WarmItem, budget: Duration) async -> WarmOutcome {
        let start = watch.clock.now
        let body = JSONWriter.bytes(of: WarmWire.json(of: item, budget: budget))
        do {
            // The time limit for the whole response starts at its first byte.
            let most = budget * max(1, item.profiles.count) + watch.patience
            let call = LimitedCall(watch: watch, interruption: interruption)
            let answer = try await call.answer(within: most) { hasBegun in
                try await client.request("POST", "/v1/warm", body: body, hasBegun: hasBegun)
            }
            guard let answer else {
                if !interruption.isSignalled { watch.noteAbsence(since: start) }
                return failed("the daemon has not answered", .overloaded)
            }
            guard answer.status == 200 else {
                let isFull = answer.status == 503 || answer.status == 429
                return failed(answer.problem, isFull ? .overloaded : .internal)
            }
            guard let outcome = WarmWire.outcome(of: try JSONParser.value(of: answer.body)) else {
                return failed("the response of the daemon cannot be read: \(VisibleText.short(answer.text, most: 64))")
            }
            return outcome
        } catch is CancellationError {
            return WarmOutcome([.init(url: item.name, profile: "", failure: .cancelled)])
        } catch let error as DaemonClientError where error.isAbsence {
            watch.noteAbsence(since: watch.clock.now)
            return failed(error.description, .overloaded)
        } catch {
            return failed("\(error)")
        }
    }

    private func failed(_ problem: String, _ reason: DegradationReason = .internal) -> WarmOutcome {
        WarmOutcome([.init(url: "", profile: "", failure: MediaFailure(reason, problem))])
    }
}

/// A call to a daemon. It ends without an answer if the daemon does not answer in time, or the run is interrupted.
struct LimitedCall: Sendable {
    let watch: DaemonWatch
    let interruption: AsyncEvent

    /// Sends a request and waits for the answer.
    ///
    /// - Parameter time: The maximum time between the beginning and the end of the response.
    /// - Parameter request: A function that sends the request. It calls its argument when the response begins.
    /// - Returns: `nil` if the daemon is silent for the patience of the watch, or after an interruption.
    func answer(
        within time: Duration,
        _ request: @escaping @Sendable (_ hasBegun: @escaping @Sendable () -> Void) async throws -> DaemonClient.Answer
    ) async throws -> DaemonClient.Answer? {
        let clock = watch.clock
        let begun = AsyncEvent()
        let answer = try await withThrowingTaskGroup(of: DaemonClient.Answer?.self) { group in
            group.addTask { [watch] in
                try await request {
                    watch.noteAnswer()
                    begun.signal()
                }
            }
            group.addTask { [watch] in
                await clock.sleep(until: clock.now + watch.patience)
                if begun.isSignalled { await clock.sleep(until: clock.now + time) }
                return nil
            }
            group.addTask { [interruption] in
                await interruption.wait()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        if answer == nil { try Task.checkCancellation() }
        return answer
    }
}

extension RemoteWarmer {
    /// Creates a warmer for a daemon that answers.
    ///
    /// - Parameter address: The path of a socket, or `http://HOST:PORT`.
    /// - Parameter token: The token for the daemon; `nil` if it needs none.
    /// - Throws: A failure with status 2 if the address has neither form, and with status 1 if no daemon answers.
    init(
        via address: String, token: SecretText?, _ watch: DaemonWatch, _ interruption: AsyncEvent
    ) async throws(CommandFailure) {
        let client = try Self.client(of: address, token)
        self.client = client
        self.watch = watch
        self.interruption = interruption
        let answer: DaemonClient.Answer?
        do {
            answer = try await LimitedCall(watch: watch, interruption: interruption).answer(within: watch.patience) {
                hasBegun in
                // The token of a batch may permit no other call than this one. Without an item, the call does nothing.
                token == nil
                    ? try await client.request("GET", "/v1/status", hasBegun: hasBegun)
                    : try await client.request("POST", "/v1/warm", hasBegun: hasBegun)
            }
        } catch DaemonClientError.noSocket {
            throw CommandFailure(
                .failed,
                "--via \(address): there is no such socket: start a daemon with serve, or name its socket with --via")
        } catch {
            throw CommandFailure(.failed, "--via \(address): \(error)")
        }
        guard let answer else { throw CommandFailure(.failed, "--via \(address): \(watch.silence)") }
        guard answer.isOfDaemon else {
            throw CommandFailure(
                .failed,
                "--via \(address): the server there is not appgroupd: name the socket or the address of a daemon")
        }
        guard answer.status == 200 || token != nil && (answer.status == 503 || answer.status == 429) else {
            let hint = answer.status == 401 && token == nil ? " Name a file with the token with --token-file." : ""
            throw CommandFailure(.failed, "--via \(address): \(answer.problem)\(hint)")
        }
    }

    private static func client(
        of address: String, _ token: SecretText?
    ) throws(CommandFailure) -> DaemonClient {
        guard address.contains("://") else { return DaemonClient(socketPath: address) }
        guard let url = try? WebURL(address), url.scheme == "http", let port = url.port, url.target == "/",
            !address.contains("#")
        else {
            throw CommandFailure(
                .usage,
                "--via \(address): it must be the path of a socket, or http://HOST:PORT, such as http://127.0.0.1:8480")
        }
        return DaemonClient(host: url.host.text, port: Int(port), token: token?.value)
    }
}

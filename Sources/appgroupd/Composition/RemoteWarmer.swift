import HTTPAPI
import JSON
import NotificationModel
import Warming

/// Warms an item by a running daemon (`POST /v1/warm`).
///
/// A daemon that has no room or that is gone does not fail the item: it is overloaded, and the item is tried again.
struct RemoteWarmer: MediaWarming {
    let client: DaemonClient
    let watch: DaemonWatch

    func warm(_ item: WarmItem, budget: Duration) async -> WarmOutcome {
        do {
            let answer = try await client.request(
                "POST", "/v1/warm", body: JSONWriter.bytes(of: WarmWire.json(of: item, budget: budget)))
            watch.noteAnswer()
            guard answer.status == 200 else {
                let isFull = answer.status == 503 || answer.status == 429
                return failed(answer.problem, isFull ? .overloaded : .internal)
            }
            guard let outcome = WarmWire.outcome(of: try JSONParser.value(of: answer.body)) else {
                return failed("the daemon's answer is none: \(VisibleText.short(answer.text, most: 64))")
            }
            return outcome
        } catch is CancellationError {
            return WarmOutcome([.init(url: item.name, profile: "", failure: .cancelled)])
        } catch let error as DaemonClientError where error.isAbsence {
            watch.noteAbsence()
            return failed(error.description, .overloaded)
        } catch {
            return failed("\(error)")
        }
    }

    private func failed(_ problem: String, _ reason: DegradationReason = .internal) -> WarmOutcome {
        WarmOutcome([.init(url: "", profile: "", failure: MediaFailure(reason, problem))])
    }
}

extension RemoteWarmer {
    /// - Parameter address: the path of a socket, or `http://HOST:PORT`.
    /// - Throws: with status 2 if it is neither, and with status 1 if no daemon answers there.
    init(via address: String, _ watch: DaemonWatch) async throws(CommandFailure) {
        client = try Self.client(of: address)
        self.watch = watch
        do { _ = try await client.request("GET", "/healthz") } catch {
            throw CommandFailure(.failed, "--via \(address): \(error)")
        }
    }

    private static func client(of address: String) throws(CommandFailure) -> DaemonClient {
        guard address.contains("://") else { return DaemonClient(socketPath: address) }
        let parts = address.hasPrefix("http://") ? address.dropFirst(7).split(separator: "/").map(String.init) : []
        let host = parts.first.map { $0.split(separator: ":").map(String.init) } ?? []
        guard parts.count == 1, host.count == 2, let port = Int(host[1]), (1...65_535).contains(port) else {
            throw CommandFailure(
                .usage,
                "--via \(address): it must be the path of a socket, or http://HOST:PORT as http://127.0.0.1:8480")
        }
        return DaemonClient(host: host[0], port: port)
    }
}

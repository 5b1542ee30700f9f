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
                return failed("the response of the daemon cannot be read: \(VisibleText.short(answer.text, most: 64))")
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
    /// - Throws: with status 2 if it is neither, and with status 1 if no daemon is there.
    init(via address: String, _ watch: DaemonWatch) async throws(CommandFailure) {
        client = try Self.client(of: address)
        self.watch = watch
        let answer: DaemonClient.Answer
        do { answer = try await client.request("GET", "/v1/status") } catch DaemonClientError.noSocket {
            throw CommandFailure(
                .failed,
                "--via \(address): there is no such socket: start a daemon with serve, or name its socket with --via")
        } catch {
            throw CommandFailure(.failed, "--via \(address): \(error)")
        }
        guard answer.isOfDaemon else {
            throw CommandFailure(
                .failed,
                "--via \(address): the server there is not appgroupd: name the socket or the address of a daemon"
            )
        }
        guard answer.status == 200 else { throw CommandFailure(.failed, "--via \(address): \(answer.problem)") }
    }

    private static func client(of address: String) throws(CommandFailure) -> DaemonClient {
        guard address.contains("://") else { return DaemonClient(socketPath: address) }
        guard let place = hostAndPort(of: address) else {
            throw CommandFailure(
                .usage,
                "--via \(address): it must be the path of a socket, or http://HOST:PORT, such as http://127.0.0.1:8480")
        }
        return DaemonClient(host: place.host, port: place.port)
    }

    /// - Parameter address: `http://HOST:PORT`, an IPv6 address in brackets; a slash may follow.
    private static func hostAndPort(of address: String) -> (host: String, port: Int)? {
        guard address.hasPrefix("http://") else { return nil }
        var authority = address.dropFirst(7)
        if authority.last == "/" { authority.removeLast() }
        guard !authority.contains(where: { "/?#@".contains($0) }), let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port)
        else { return nil }
        var host = authority[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
            return host.contains(":") ? (String(host), port) : nil
        }
        return host.isEmpty || host.contains(":") ? nil : (String(host), port)
    }
}

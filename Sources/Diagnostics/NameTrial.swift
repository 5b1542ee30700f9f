import LinuxIO
import NameResolution
import NotificationModel
import Primitives
import WebURL

/// A trial that resolves a name with the settings of the daemon.
struct NameTrial: Sendable {
    let settings: ResolverSettings

    enum Outcome: Sendable {
        case addresses([IPAddress])
        /// The name server has answered that the name does not exist.
        case noSuchName
        /// The resolution failed. The value is the reason, in words.
        case failed(String)
    }

    /// Resolves a name once, on a thread of its own.
    ///
    /// - Parameter limit: The maximum time for an answer of the name servers.
    func ask(for host: String, within limit: Duration) async -> Outcome {
        let loop: EventLoop
        do throws(SystemError) { loop = try EventLoop.start(name: "agd-resolve") } catch {
            return .failed("no thread can be started: \(error)")
        }
        defer { loop.shutdown() }
        do throws(MediaFailure) {
            let resolver = try NameResolver(loop: loop, settings: settings)
            let outcome = await withTaskGroup(of: Outcome?.self) { group in
                group.addTask { await Self.outcome(of: host, by: resolver) }
                group.addTask {
                    await SystemClock().sleep(until: .now.advanced(by: limit))
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            await resolver.shutdown()
            return outcome ?? .failed("no answer within \(limit)")
        } catch {
            return .failed(error.detail)
        }
    }

    private static func outcome(of host: String, by resolver: NameResolver) async -> Outcome {
        do throws(MediaFailure) { return .addresses(try await resolver.resolve(host).addresses) } catch {
            return error == .noSuchName ? .noSuchName : .failed(error.detail)
        }
    }
}

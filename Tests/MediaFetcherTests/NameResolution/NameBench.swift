import Base
import LinuxIO
import NotificationModel
import TestSupport

@testable import MediaFetcher

/// A fixture with a resolver, which has its own loop, and the name server that the resolver queries.
struct NameBench: Sendable {
    let resolver: NameResolver
    let server: NameServer

    /// Returns when `count` callers wait for names.
    func waitForAskers(_ count: Int) async throws {
        try await wait(for: "askers") { await resolver.waitingCount == count }
    }

    /// Resolves a name in a new task.
    func ask(_ name: String) -> Task<Result<ResolvedHost, MediaFailure>, Never> {
        Task { [resolver] in
            do throws(MediaFailure) { return .success(try await resolver.resolve(name)) } catch {
                return .failure(error)
            }
        }
    }

    /// Resolves a name, and waits for the result.
    func answer(_ name: String) async -> Result<ResolvedHost, MediaFailure> { await ask(name).value }
}

/// Runs a test with a name server and a resolver that queries the server, and shuts down both.
///
/// - Parameter change: a function that changes the settings, in which a server has five seconds for its answer.
func withNames<Value>(
    _ script: @escaping NameServer.Script, change: (inout ResolverSettings) -> Void = { _ in },
    now: @escaping @Sendable () -> MonotonicInstant = { .now }, _ body: (NameBench) async throws -> Value
) async throws -> Value {
    let server = try NameServer(script)
    defer { server.shutdown() }
    let loop = try EventLoop.start(name: "agd-test")
    defer { loop.shutdown() }
    var settings = ResolverSettings()
    settings.nameservers = [server.address]
    settings.queryTimeout = .seconds(5)
    change(&settings)
    let resolver = try NameResolver(loop: loop, settings: settings, now: now)
    // A thread sets its name when it starts to run.
    await server.waitForStart()
    _ = await resolver.openQuestions
    do {
        let value = try await body(NameBench(resolver: resolver, server: server))
        await resolver.shutdown()
        return value
    } catch {
        await resolver.shutdown()
        throw error
    }
}

extension Result<ResolvedHost, MediaFailure> {
    /// The addresses; empty after a failure.
    var addresses: Set<IPAddress> { (try? Set(get().addresses)) ?? [] }

    var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension Set<IPAddress> {
    /// Creates a set from the text forms of addresses.
    init(texts: String...) { self = Set(texts.compactMap { IPAddress($0) }) }
}

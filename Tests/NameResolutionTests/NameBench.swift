import LinuxIO
import NotificationModel
import TestSupport

@testable import NameResolution

/// A resolver with a loop of its own, and the server that it asks.
struct NameBench: Sendable {
    let resolver: NameResolver
    let server: NameServer

    /// Returns when so many wait for names.
    func waitForAskers(_ count: Int) async throws {
        try await wait(for: "askers") { await resolver.waitingCount == count }
    }

    /// Asks for a name in a task of its own.
    func ask(_ name: String) -> Task<Result<ResolvedHost, MediaFailure>, Never> {
        Task { [resolver] in
            do throws(MediaFailure) { return .success(try await resolver.resolve(name)) } catch {
                return .failure(error)
            }
        }
    }

    /// Asks for a name, and waits for the answer.
    func answer(_ name: String) async -> Result<ResolvedHost, MediaFailure> { await ask(name).value }
}

/// Gives a test a server and a resolver that asks it, and ends both.
///
/// - Parameter change: of the settings, which allow a server five seconds for its answer.
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
    // The threads have their names when they have done something.
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
    /// The addresses, or none.
    var addresses: Set<IPAddress> { (try? Set(get().addresses)) ?? [] }

    var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension Set<IPAddress> {
    /// From their text forms.
    init(texts: String...) { self = Set(texts.compactMap { IPAddress($0) }) }
}

import ServiceLifecycle

/// A part of the daemon's life that is one function.
struct ClosureService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}

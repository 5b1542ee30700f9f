import Base
import Lab
import NotificationModel

@testable import MediaFetcher

/// A resolver that gives every name a loopback address after its gate is open. Before the gate is open, a fetch waits
/// with its transfer.
final class GatedNames: NameResolving {
    private let gate: Guarded<Gate?>

    init(behind gate: Gate? = nil) { self.gate = Guarded(gate) }

    /// Makes all later callers wait for a gate.
    func hold(behind gate: Gate) { self.gate.withLock { $0 = gate } }

    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
        await gate.withLock { $0 }?.pass()
        return ResolvedHost(addresses: [LoopbackAddress(0, 0, 1).address], ttl: .zero, wasCached: false)
    }
}

extension OriginFixture {
    /// The URL of the origin by a name, which `GatedNames` resolves.
    var namedURL: String { "http://origin.test:\(origin.port)" }
}

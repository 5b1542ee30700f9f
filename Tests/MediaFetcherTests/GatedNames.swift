import Lab
import NameResolution
import NotificationModel

/// Leads every name to loopback, as soon as the gate is open: a fetch stands between its turn and its transfer until then.
final class GatedNames: NameResolving {
    private let gate: Guarded<Gate?>

    init(behind gate: Gate? = nil) { self.gate = Guarded(gate) }

    /// Holds who asks from now on.
    func hold(behind gate: Gate) { self.gate.withLock { $0 = gate } }

    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
        await gate.withLock { $0 }?.pass()
        return ResolvedHost(addresses: [LoopbackAddress(0, 0, 1).address], ttl: .zero, wasCached: false)
    }
}

extension OriginFixture {
    /// The origin by a name, which `GatedNames` leads to.
    var namedURL: String { "http://origin.test:\(origin.port)" }
}

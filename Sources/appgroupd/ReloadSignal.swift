import Dispatch
import Glibc

/// SIGHUP, for as long as this lives: calls back on a queue of its own, one call after the other.
struct ReloadSignal {
    private let source: any DispatchSourceSignal

    init(_ reload: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "agd-reload"))
        source.setEventHandler(handler: reload)
        source.activate()
    }

    func end() { source.cancel() }
}

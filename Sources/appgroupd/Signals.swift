import Dispatch
import Glibc

/// SIGINT and SIGTERM as something to wait for.
enum TerminationSignal {
    /// Returns when the first of them arrives; a second one ends the process as usual.
    static func wait() async {
        let numbers = [SIGINT, SIGTERM]
        let (signals, arrival) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { arrival.yield(number) }
            source.activate()
            return source
        }
        for await _ in signals { break }
        for (number, source) in zip(numbers, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}

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

import Dispatch
import Glibc

/// SIGINT and SIGTERM as something to wait for.
///
/// From the creation on, the first of them does not end the process. A second one does, as usual.
struct TerminationSignal {
    private let numbers = [SIGINT, SIGTERM]
    private let signals: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (signals, arrival) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        self.signals = signals
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { arrival.yield(number) }
            source.activate()
            return source
        }
    }

    /// Returns when the first of them arrives, or when the task is cancelled.
    func wait() async {
        for await _ in signals { break }
        for (number, source) in zip(numbers, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }

    static func wait() async { await TerminationSignal().wait() }
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

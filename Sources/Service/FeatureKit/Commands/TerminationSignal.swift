import Dispatch
import Glibc

/// A receiver of SIGINT and SIGTERM.
///
/// From its creation, these signals do not end the process. After the first signal, `wait` restores the default, so a
/// second signal ends the process.
package struct TerminationSignal {
    private let numbers = [SIGINT, SIGTERM]
    private let signals: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    package init() {
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

    /// Waits for the first of the two signals, or until the task is cancelled.
    package func wait() async {
        for await _ in signals { break }
        for (number, source) in zip(numbers, sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }

    package static func wait() async { await TerminationSignal().wait() }
}

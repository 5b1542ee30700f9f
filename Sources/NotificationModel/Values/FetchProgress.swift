/// How far a download has come, for who wants to watch it: an asynchronous sequence of the latest states.
///
/// One watcher. Who is slow misses states, never the last one; the sequence ends with the fetch.
package final class FetchProgress: Sendable, AsyncSequence {
    package struct State: Sendable, Equatable {
        /// Decoded bytes so far.
        package var receivedBytes: Int
        /// What the origin announces; `nil` where it does not, or where the bytes are encoded on the way.
        package var expectedBytes: Int?

        package init(receivedBytes: Int, expectedBytes: Int? = nil) {
            self.receivedBytes = receivedBytes
            self.expectedBytes = expectedBytes
        }
    }

    private let states: AsyncStream<State>
    private let teller: AsyncStream<State>.Continuation

    package init() { (states, teller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func tell(_ state: State) { teller.yield(state) }

    package func finish() { teller.finish() }

    package func makeAsyncIterator() -> AsyncStream<State>.Iterator { states.makeAsyncIterator() }
}

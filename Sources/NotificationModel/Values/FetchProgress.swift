/// The progress of a download: an asynchronous sequence of the latest states.
///
/// The sequence has one reader. A slow reader misses states, but never the last one. The sequence ends with the fetch.
package final class FetchProgress: Sendable, AsyncSequence {
    package struct State: Sendable, Equatable {
        /// The number of decoded bytes that have arrived.
        package var receivedBytes: Int
        /// The size that the origin announces, in bytes; `nil` if it announces none, or if the body has a content
        /// coding.
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

/// What a process has used from its start to its end.
package struct ProcessUsage: Sendable {
    package var wall: Duration
    /// User and system, all threads.
    package var processor: Duration
    package var peakKilobytes: Int
    /// Heap, stacks and what it has written to of its program: sampled each 10 ms.
    package var peakPrivateKilobytes: Int
}

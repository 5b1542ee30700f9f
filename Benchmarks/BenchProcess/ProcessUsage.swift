/// The resources that a process has used from its start to its end.
package struct ProcessUsage: Sendable {
    package var wall: Duration
    /// The processor time in user and system mode, of all threads.
    package var processor: Duration
    package var peakKilobytes: Int
    /// The peak of the private memory: heap, stacks and changed pages of the program. The memory is sampled every 10
    /// ms.
    package var peakPrivateKilobytes: Int
}

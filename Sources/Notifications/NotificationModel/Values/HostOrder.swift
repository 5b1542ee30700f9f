/// The order of the hosts in a report. The host with the largest value is the first one.
package enum HostOrder: String, Sendable, CaseIterable {
    case requests
    /// The number of transfers whose response was not used.
    case failures
    /// The time to the first byte that 95 % of the responses did not exceed.
    case slow
    case bytes
}

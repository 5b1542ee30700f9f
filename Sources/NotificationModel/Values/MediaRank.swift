/// The order in which media get connections and workers: media of a higher rank get them first.
package enum MediaRank {
    /// The lowest rank, for media that are prepared for later notifications.
    package static let warming = 0
    /// The rank of an alert of the highest priority.
    package static let standard = rank(priority: 10, isSilent: false)

    /// Returns the rank of a notification. At the same priority, alerts take precedence over silent pushes.
    ///
    /// - Parameter priority: The priority of APNs: 10, 5 or 1.
    package static func rank(priority: Int, isSilent: Bool) -> Int { 2 * priority + (isSilent ? 0 : 1) }
}

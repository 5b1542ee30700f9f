/// The order in which media have connections and workers: media of a higher rank have them first.
package enum MediaRank {
    /// The rank of media that are made ready for notifications that are to come: the lowest.
    package static let warming = 0
    /// The rank of an alert of the highest priority.
    package static let standard = rank(priority: 10, isSilent: false)

    /// The rank of a notification: at one priority alerts are before silent pushes.
    ///
    /// - Parameter priority: 10, 5 or 1.
    package static func rank(priority: Int, isSilent: Bool) -> Int { 2 * priority + (isSilent ? 0 : 1) }
}

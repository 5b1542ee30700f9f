/// The order in which media have connections and workers: a higher rank goes before all lower ones.
package enum MediaRank {
    /// Of media that are made ready for notifications that are to come: after everything.
    package static let warming = 0
    /// Of an alert of the highest priority.
    package static let standard = rank(priority: 10, isSilent: false)

    /// At one priority alerts go before silent pushes.
    ///
    /// - Parameter priority: 10, 5 or 1.
    package static func rank(priority: Int, isSilent: Bool) -> Int { 2 * priority + (isSilent ? 0 : 1) }
}

/// The string tables of app groups: what a phone would find in the app's bundle.
package protocol StringTableReading: Sendable {
    /// The texts by their keys, of a language; `nil` where there is no such table. Cancelling the calling task ends the
    /// wait at once.
    func table(_ name: String, in group: AppGroupName) async -> [String: String]?
}

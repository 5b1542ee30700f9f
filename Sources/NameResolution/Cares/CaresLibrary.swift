import CCares

/// The c-ares that this process has loaded.
package enum CaresLibrary {
    /// As `1.18.1`.
    package static var version: String {
        guard let text = unsafe ares_version(nil) else { return "unknown" }
        return unsafe String(cString: text)
    }
}

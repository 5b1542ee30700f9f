import CCares

/// c-ares refused something, or has run out of something.
struct CaresError: Error, Equatable, CustomStringConvertible {
    /// `ARES_E…`
    let status: Int32

    static func check(_ status: Int32) throws(CaresError) {
        guard status == ARES_SUCCESS else { throw CaresError(status: status) }
    }

    /// c-ares' words.
    var description: String {
        guard let text = unsafe ares_strerror(status) else { return "error \(status)" }
        return unsafe String(cString: text)
    }
}

/// The c-ares that this process has loaded.
package enum CaresLibrary {
    /// As `1.18.1`.
    package static var version: String {
        guard let text = unsafe ares_version(nil) else { return "unknown" }
        return unsafe String(cString: text)
    }
}

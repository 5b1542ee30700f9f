import CCares

/// An error of c-ares, which refused a call or has no memory left for it.
struct CaresError: Error, Equatable, CustomStringConvertible {
    /// The status code, one of the `ARES_E…` constants.
    let status: Int32

    static func check(_ status: Int32) throws(CaresError) {
        guard status == ARES_SUCCESS else { throw CaresError(status: status) }
    }

    /// The text of c-ares for the status code.
    var description: String {
        guard let text = unsafe ares_strerror(status) else { return "error \(status)" }
        return unsafe String(cString: text)
    }
}

/// The c-ares library that this process has loaded.
package enum CaresLibrary {
    /// The version of the library, for example `1.18.1`.
    package static var version: String {
        guard let text = unsafe ares_version(nil) else { return "unknown" }
        return unsafe String(cString: text)
    }
}

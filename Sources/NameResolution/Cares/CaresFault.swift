import CCares

/// c-ares refused something, or has run out of something.
struct CaresFault: Error, Equatable, CustomStringConvertible {
    /// `ARES_E…`
    let status: Int32

    static func check(_ status: Int32) throws(CaresFault) {
        guard status == ARES_SUCCESS else { throw CaresFault(status: status) }
    }

    /// c-ares' words.
    var description: String {
        guard let text = unsafe ares_strerror(status) else { return "error \(status)" }
        return unsafe String(cString: text)
    }
}

import CCurl

/// The libcurl that this process has loaded, which may differ from the one of the build.
package struct CurlLibrary: Sendable, Equatable {
    package let version: String
    /// The version of the headers with which the daemon was built.
    package let builtAgainst: String
    /// The TLS library with its version; `nil` if libcurl has no TLS library.
    package let tls: String?
    package let protocols: [String]
    package let hasHTTP2: Bool
    /// The default file of trusted certificates; `nil` if libcurl has no such file, or is older than 7.70.
    package let certificateFile: String?
    package let certificateDirectory: String?

    /// Whether libcurl is initialized. The first access initializes it, once per process.
    static let isStarted = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    package static var description: CurlLibrary? {
        guard isStarted, let info = unsafe curl_version_info(CURLVERSION_SEVENTH)?.pointee else { return nil }
        let features = unsafe info.features
        // The structure has the locations of the certificates since its seventh version (libcurl 7.70).
        let knowsPlaces = unsafe info.age.rawValue >= CURLVERSION_SEVENTH.rawValue
        return unsafe CurlLibrary(
            version: text(info.version) ?? "unknown", builtAgainst: LIBCURL_VERSION, tls: text(info.ssl_version),
            protocols: list(info.protocols), hasHTTP2: features & CURL_VERSION_HTTP2 != 0,
            certificateFile: knowsPlaces ? text(info.cainfo) : nil,
            certificateDirectory: knowsPlaces ? text(info.capath) : nil)
    }

    private static func text(_ string: UnsafePointer<CChar>?) -> String? {
        guard let string = unsafe string else { return nil }
        return unsafe String(cString: string)
    }

    private static func list(_ strings: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let strings = unsafe strings else { return [] }
        var texts: [String] = []
        while let string = unsafe strings[texts.count] { texts.append(unsafe String(cString: string)) }
        return texts
    }
}

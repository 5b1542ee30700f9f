import CCurl

/// An owned multi handle of libcurl. All easy handles must be removed before it is destroyed.
@safe struct CurlMulti: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    init?() {
        guard CurlLibrary.isStarted, let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit { _ = unsafe curl_multi_cleanup(handle) }

    /// Sends the socket and timer events of libcurl to `driver`.
    borrowing func connect(to driver: MultiHandleDriver) -> Bool {
        let context = unsafe Unmanaged.passUnretained(driver).toOpaque()
        return unsafe agd_multi_set_socket(handle, watchSocket, context) == CURLM_OK
            && agd_multi_set_timer(handle, setTimer, context) == CURLM_OK
            && agd_multi_set_long(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, Self.maxStreams) == CURLM_OK
    }

    /// The maximum number of streams of one connection, if its origin allows this number. `FairHostQueue` starts at
    /// most 100 transfers, and the other streams are for stalled transfers. The default of libcurl is 100.
    private static let maxStreams = 256

    /// Sets the maximum number of connections, including those in use. If there are more connections, libcurl closes an
    /// idle connection. By default, libcurl keeps four connections per current transfer, and therefore closes many
    /// connections when a burst of transfers ends.
    borrowing func keep(connections: Int) { _ = unsafe agd_multi_set_long(handle, CURLMOPT_MAXCONNECTS, connections) }

    borrowing func add(_ easy: CurlEasy) -> Bool { unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK }

    borrowing func remove(_ easy: CurlEasy) { _ = unsafe curl_multi_remove_handle(handle, easy.handle) }

    /// Lets libcurl read from and write to a socket that is ready.
    borrowing func socketAction(_ socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(handle, socket, events, &running)
    }

    /// Lets libcurl handle its expired timers.
    borrowing func timeoutAction() { socketAction(agd_socket_bad, 0) }

    /// Returns the next transfer that libcurl has finished; `nil` if there is no further transfer.
    borrowing func nextDone() -> (easy: CurlEasy, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let easy = unsafe agd_easy_get_private(message.pointee.easy_handle)
            else { continue }
            return unsafe (Unmanaged<CurlEasy>.fromOpaque(easy).takeUnretainedValue(), message.pointee.data.result)
        }
        return nil
    }
}

/// The TLS sessions that the transfers of a multi handle share. With a stored session, a new connection to a known host
/// has a shorter handshake. libcurl 7.88 keeps eight sessions in each share.
///
/// A share is used on one thread only, and therefore needs no lock. Each handle retains its share.
@safe final class CurlShare {
    let handle: UnsafeMutableRawPointer

    /// Creates a share; returns `nil` if libcurl has no memory.
    init?() {
        guard CurlLibrary.isStarted, let handle = unsafe curl_share_init() else { return nil }
        unsafe self.handle = unsafe handle
        guard unsafe agd_share_set(handle, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
    }

    deinit { _ = unsafe curl_share_cleanup(handle) }
}

/// An owned list of strings in the form of libcurl. If memory runs out, the last strings are missing.
@safe struct CurlList: ~Copyable {
    let head: UnsafeMutablePointer<curl_slist>?

    init(_ strings: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for string in strings {
            guard let longer = unsafe string.withCString({ unsafe curl_slist_append(list, $0) }) else { break }
            unsafe list = unsafe longer
        }
        unsafe head = unsafe list
    }

    deinit { unsafe curl_slist_free_all(head) }
}

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
        unsafe string.map { unsafe String(cString: $0) }
    }

    private static func list(_ strings: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let strings = unsafe strings else { return [] }
        var texts: [String] = []
        while let string = unsafe strings[texts.count] { texts.append(unsafe String(cString: string)) }
        return texts
    }
}

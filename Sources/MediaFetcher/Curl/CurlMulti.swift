import CCurl

/// The multi handle, owned. Every easy handle is removed before it goes.
@safe struct CurlMulti: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    init?() {
        guard CurlLibrary.isStarted, let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit { _ = unsafe curl_multi_cleanup(handle) }

    /// Sends socket and timer events to the engine.
    borrowing func connect(to engine: MultiHandleDriver) -> Bool {
        let context = unsafe Unmanaged.passUnretained(engine).toOpaque()
        return unsafe agd_multi_set_socket(handle, watchSocket, context) == CURLM_OK
            && agd_multi_set_timer(handle, setTimer, context) == CURLM_OK
            && agd_multi_set_long(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, Self.mostStreams) == CURLM_OK
    }

    /// Streams of one connection, if its origin allows that many. `FairHostQueue` lets 100 transfers begin; the others
    /// are for stalled transfers beside them. libcurl's own limit is 100.
    private static let mostStreams = 256

    /// How many connections there may be, those in use included, before one that nobody uses is closed. By itself libcurl
    /// keeps four for each transfer of the moment, and closes the others when many have just ended.
    borrowing func keep(connections: Int) {
        _ = unsafe agd_multi_set_long(handle, CURLMOPT_MAXCONNECTS, connections)
    }

    borrowing func add(_ easy: CurlEasy) -> Bool {
        unsafe curl_multi_add_handle(handle, easy.handle) == CURLM_OK
    }

    borrowing func remove(_ easy: CurlEasy) {
        _ = unsafe curl_multi_remove_handle(handle, easy.handle)
    }

    /// Lets libcurl work on a socket that is ready.
    borrowing func socketAction(_ socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(handle, socket, events, &running)
    }

    /// Lets libcurl look at its timers.
    borrowing func timeoutAction() { socketAction(agd_socket_bad, 0) }

    /// The next transfer that libcurl is done with.
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

/// What the transfers of a multi handle have in common beyond their connections: TLS sessions, so that a host that is
/// connected to again need not prove itself from the beginning. libcurl 7.88 keeps eight in each share.
///
/// Used on one thread, and therefore without a lock. Each handle holds its share.
@safe final class CurlShare {
    let handle: UnsafeMutableRawPointer

    /// - Returns: `nil` where libcurl has no memory.
    init?() {
        guard CurlLibrary.isStarted, let handle = unsafe curl_share_init() else { return nil }
        unsafe self.handle = unsafe handle
        guard unsafe agd_share_set(handle, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
    }

    deinit { _ = unsafe curl_share_cleanup(handle) }
}

/// A list of strings as libcurl wants it, owned. Empty where memory ran out.
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

import CCurl

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

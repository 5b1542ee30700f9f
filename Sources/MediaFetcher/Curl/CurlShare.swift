import CCurl

/// What all transfers have in common beyond their connections: TLS sessions, so that a host that is connected to again
/// need not prove itself from the beginning. Used on one thread, so it has no locks.
@safe struct CurlShare: ~Copyable {
    let handle: UnsafeMutableRawPointer

    private init(adopting handle: UnsafeMutableRawPointer) { unsafe self.handle = unsafe handle }

    static func create() -> CurlShare? {
        guard let handle = unsafe curl_share_init() else { return nil }
        let share = unsafe CurlShare(adopting: handle)
        guard unsafe agd_share_set(share.handle, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else { return nil }
        return share
    }

    deinit { _ = unsafe curl_share_cleanup(handle) }
}

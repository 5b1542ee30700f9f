import CCurl
import Glibc

/// What the transfers to a group of hosts have in common beyond their connections: TLS sessions, so that a host that is
/// connected to again need not prove itself from the beginning.
///
/// For handles on any thread: libcurl takes the mutex for each look at a session.
@safe struct CurlShare: ~Copyable, @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// - Returns: `nil` where libcurl has no memory.
    static func create() -> CurlShare? {
        guard CurlLibrary.start(), let handle = unsafe curl_share_init() else { return nil }
        let share = unsafe CurlShare(adopting: handle)
        guard unsafe agd_share_set(share.handle, CURL_LOCK_DATA_SSL_SESSION, share.mutex) == CURLSHE_OK else {
            return nil
        }
        return share
    }

    private init(adopting handle: UnsafeMutableRawPointer) {
        unsafe self.handle = unsafe handle
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        _ = unsafe curl_share_cleanup(handle)
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }
}

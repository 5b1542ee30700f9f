import CCurl
import Glibc

/// What the transfers to a group of hosts have in common beyond their connections: TLS sessions, so that a host that is
/// connected to again need not prove itself from the beginning. libcurl 7.88 keeps eight in each share.
///
/// For handles on any thread: libcurl takes the mutex for each look at a session. Each handle holds its share.
@safe final class CurlShare: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// - Returns: `nil` where libcurl has no memory.
    init?() {
        guard CurlLibrary.isStarted, let handle = unsafe curl_share_init() else { return nil }
        unsafe self.handle = unsafe handle
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        guard unsafe agd_share_set(handle, CURL_LOCK_DATA_SSL_SESSION, mutex) == CURLSHE_OK else { return nil }
    }

    deinit {
        // Who is still in it would take the mutex.
        guard unsafe curl_share_cleanup(handle) == CURLSHE_OK else { return }
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }
}

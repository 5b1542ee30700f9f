#if THREAD_SANITIZER
import Glibc

/// State behind a lock, in builds for the thread sanitizer (`-D THREAD_SANITIZER`).
///
/// The sanitizer knows pthread's mutexes. It does not see the futexes of the standard library's `Mutex`, and would call
/// every use of one a race.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    private final class Storage: @unchecked Sendable {
        var value: Value
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init(_ value: consuming Value) {
            self.value = value
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }

    private let storage: Storage

    package init(_ value: consuming sending Value) { storage = Storage(value) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.mutex)
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.value)
    }
}
#else
import Synchronization

/// State behind a lock: the standard library's `Mutex` under a name that the builds for the thread sanitizer can take
/// for another lock.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
#endif

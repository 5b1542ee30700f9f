#if THREAD_SANITIZER
import Glibc

/// State behind a lock, in builds for the thread sanitizer (`-D THREAD_SANITIZER`).
///
/// The sanitizer knows pthread's mutexes. It does not see the futexes of the standard library's `Mutex`, and would call
/// every use of one a race.
public struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    public init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
#else
public import Synchronization

/// State behind a lock: the standard library's `Mutex` under a name that the builds for the thread sanitizer can take
/// for another lock.
///
/// Public, for the compiler inlines nothing that is `package` in another module; and as a generic function, `withLock`
/// would look its types up in each call, which takes longer than the lock.
public struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    @inlinable public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
#endif

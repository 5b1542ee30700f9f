#if THREAD_SANITIZER
import Glibc

/// A value that is protected by a lock, for builds with the thread sanitizer (`-D THREAD_SANITIZER`).
///
/// The sanitizer supports the mutexes of pthreads. It does not detect the futexes of the standard library's `Mutex`,
/// and would report each use of such a mutex as a race.
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

/// A value that is protected by a lock: the standard library's `Mutex` under another name. Builds for the thread
/// sanitizer use another lock instead.
///
/// The type is public, because the compiler inlines no `package` function into another module. As a generic function
/// that is not inlined, `withLock` would look up its types in each call, which takes longer than the lock.
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

import TestSupport

/// The worker that the tests of the pool start.
enum RealWorker {
    #if THREAD_SANITIZER
    /// The plain build's, which `make test` makes first: the sanitizer's own memory does not fit into a worker's
    /// limits, and a worker has one thread.
    static let path = BuiltProducts.worker.split(separator: "/", omittingEmptySubsequences: false)
        .filter { $0 != "tsan" }.joined(separator: "/")
    #else
    static let path = BuiltProducts.worker
    #endif
}

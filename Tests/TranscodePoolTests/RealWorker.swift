import TestSupport

/// The worker that the tests of the pool start.
enum RealWorker {
    #if THREAD_SANITIZER
    /// The worker of the plain build, which `make test` builds first. The memory of the sanitizer does not fit into a
    /// worker's limits, and a worker has only one thread.
    static let path = BuiltProducts.worker.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0 == "tsan" ? "tests" : $0 }.joined(separator: "/")
    #else
    static let path = BuiltProducts.worker
    #endif
}

import CLinuxShims

/// The C library's, of which all of the process has its memory.
package enum Allocator {
    /// Gives back the pages that nothing is in. A burst of requests leaves them all over the heaps, of which the
    /// allocator by itself gives back only the ends.
    ///
    /// Takes milliseconds for each ten MiB, in which no thread can allocate from the heap that is gone through.
    ///
    /// - Parameter free: the free bytes of all heaps up to which nothing is given back.
    package static func trim(beyond free: Int = 0) { agd_trim_heap(free) }

    /// Keeps memory instead of asking for it anew, page by page, each time.
    ///
    /// - Parameters:
    ///   - block: blocks of up to so many bytes come from the heap; at most 32 MiB.
    ///   - free: so many bytes stay at its end when they are freed.
    /// - Returns: whether the allocator takes it.
    package static func keep(blocksOf block: Int32, free: Int32) -> Bool { agd_keep_heap(block, free) == 0 }
}

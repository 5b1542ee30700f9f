import CLinuxShims

/// The allocator of the C library, which serves the whole process.
package enum Allocator {
    /// Returns free pages to the system. After a burst of requests, free pages are all over the heaps, and the
    /// allocator by itself returns only those at the ends.
    ///
    /// The call takes milliseconds for each ten MiB. Meanwhile no thread can allocate from the heap that is trimmed.
    ///
    /// - Parameter free: The number of free bytes in all heaps up to which the call does nothing.
    package static func trim(beyond free: Int = 0) { agd_trim_heap(free) }

    /// Makes the allocator keep freed memory, instead of requesting it again page by page each time.
    ///
    /// - Parameter block: The size of the largest blocks that come from the heap, in bytes, at most 32 MiB.
    /// - Parameter free: The number of freed bytes that stay at the end of the heap.
    /// - Returns: Whether the allocator accepts the values.
    package static func keep(blocksOf block: Int32, free: Int32) -> Bool { agd_keep_heap(block, free) == 0 }
}

import Glibc

/// A system call that a locked worker may make, with the reason for it.
package struct AllowedCall: Sendable, Equatable {
    package let name: String
    /// The arguments with which the call is allowed; `nil` if all arguments are allowed.
    package let condition: String?
    /// The reason why the worker needs the call.
    package let reason: String
    /// The conditions for the arguments. All conditions of at least one list must be met. No list allows all arguments.
    let arguments: [[ArgumentCondition]]

    private init(
        _ name: String, _ reason: String, when condition: String? = nil, _ arguments: [[ArgumentCondition]] = []
    ) {
        self.name = name
        self.condition = condition
        self.reason = reason
        self.arguments = arguments
    }

    /// The name, followed by the condition in parentheses if the call has a condition.
    package var description: String { condition.map { "\(name) (\($0))" } ?? name }

    /// All calls that a worker may make. The kernel does not execute any other call, and the worker ends.
    ///
    /// No call of the list opens, names or creates a file, a socket or a process. A worker has its memory and the
    /// descriptors that came with its job, and can end itself.
    package static let all: [AllowedCall] = memory + job + process

    /// The calls for memory. FFmpeg needs no other calls to decode and encode, because its memory comes from malloc(3).
    ///
    /// The kernel counts all writable memory of these calls against the data limit (`RLIMIT_DATA`). It does not count
    /// the following memory, so the list does not allow it to be writable:
    ///
    /// - a mapping that grows downwards (`MAP_GROWSDOWN`)
    /// - a mapping that replaces another (`MAP_FIXED`)
    /// - pages that mprotect(2) makes writable when the address limit is reached
    ///
    /// malloc(3) calls mprotect(2) only in processes with threads, so a worker does not need that call.
    private static let memory = [
        AllowedCall("brk", "the heap grows and shrinks"),
        AllowedCall(
            "mmap", "the heap gets large blocks, and the input is mapped from its descriptor",
            when:
                "for private mappings of anonymous memory that is not executable, or of a file for reading only",
            [
                [.clear(PROT_EXEC, at: 2), .equal(MAP_PRIVATE | MAP_ANONYMOUS, under: -1, at: 3)],
                [.equal(PROT_READ, under: -1, at: 2), .equal(MAP_PRIVATE | MAP_FIXED, under: -1, at: 3)],
            ]),
        AllowedCall("mremap", "large blocks of the heap grow in place"),
        AllowedCall("munmap", "the mapped input and large blocks of the heap are released"),
        AllowedCall(
            "madvise", "free pages of the heap are returned to the system, and the video encoder requests large pages",
            when: "to free pages, or to request large pages",
            [[.equal(MADV_DONTNEED, under: -1, at: 2)], [.equal(MADV_HUGEPAGE, under: -1, at: 2)]]),
    ]

    private static let job = [
        AllowedCall("recvmsg", "the worker receives the next job and the descriptors of the job"),
        AllowedCall(waitingCall, "a worker without a job waits for a job, and frees its memory after a while"),
        AllowedCall(
            "restart_syscall", "the kernel resumes the wait for a job after the process was stopped and continued"),
        AllowedCall("lseek", "the worker reads the size of the input"),
        AllowedCall(
            "pread64",
            "the writer of MP4 files reads the written bytes again, to move the index to the start of the file"),
        AllowedCall("pwrite64", "renditions are written to their descriptors"),
        AllowedCall("ftruncate", "an output file is emptied before the worker writes the file"),
        AllowedCall("write", "the worker sends its reply, or reports a forbidden call"),
        AllowedCall("close", "the worker closes the descriptors of a completed job"),
        AllowedCall(
            "clock_gettime", "the worker measures the time of stages, on machines whose clock needs a system call"),
    ]

    private static let process = [
        // Other operations of futex(2) pass locks on to other threads, and had the call's most serious security bugs.
        AllowedCall(
            "futex", "locks of the C library, and initialisation that must run only once",
            when: "to wait and to wake within the process", [[.equal(privateFutex, under: ~1, at: 1)]]),
        AllowedCall("exit_group", "the worker exits"),
    ]

    /// `FUTEX_WAIT | FUTEX_PRIVATE_FLAG` of linux/futex.h. With the lowest bit set, it is `FUTEX_WAKE`.
    private static let privateFutex: Int32 = 128

    #if arch(arm64)
    private static let waitingCall = "ppoll"
    #else
    private static let waitingCall = "poll"
    #endif
}

/// A condition for one argument of a system call.
struct ArgumentCondition: Sendable, Equatable {
    /// The index of the argument, 0…5.
    let position: UInt32
    let mask: UInt64
    let value: UInt64

    static func clear(_ bits: Int32, at position: UInt32) -> ArgumentCondition {
        .equal(0, under: bits, at: position)
    }

    /// Returns a condition that the masked argument equals a value.
    ///
    /// - Parameter mask: A mask of the lower 32 bits; -1 for all. The upper bits of an `int` argument have no meaning.
    static func equal(_ value: Int32, under mask: Int32, at position: UInt32) -> ArgumentCondition {
        ArgumentCondition(
            position: position, mask: UInt64(UInt32(bitPattern: mask)), value: UInt64(UInt32(bitPattern: value)))
    }
}

/// The interface to the Linux kernel for the rest of the program.
///
/// This target has descriptors that close themselves, and a thread that is both an epoll loop and an actor's executor.
/// It also has sockets that pass descriptors, child processes, files without a name, and resource limits.
///
/// Its functions take Swift values. They return Swift values, or throw a `SystemError` with the name of the call and
/// its `errno`. The target has no knowledge of notifications. The target does not trust files of other programs: it
/// refuses symbolic links and special files in place of regular files.
///
/// Code in this target must not block the cooperative pool. A caller runs each call that may block on its own
/// `EventLoop` or thread. The owner of an `EventLoop` ends it with `shutdown`. No component cancels a running system
/// call; a caller that waits for a task on a loop can cancel that task.
///
/// To add a new system call, do this: write a function in the type that owns the subject, such as `FileSystem` for
/// files. The function checks the result of the call, and throws a `SystemError` with the name of the call. If Swift
/// cannot import the call, a C function with the prefix `agd_` in `CLinuxShims` makes it.
package enum LinuxIO {}

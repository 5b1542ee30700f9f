// The parts of Linux that Swift's Glibc module does not import, each with the reason next to it.
#ifndef AGD_LINUX_H
#define AGD_LINUX_H

// Only headers with types are included here. If this file and Glibc's module parse a kernel header with different
// feature macros, Swift gets two definitions of one type.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// sys/epoll.h, sys/eventfd.h, sys/timerfd.h and sys/pidfd.h are in no module map. epoll_event is packed and has a
// union.
int agd_epoll_create(void);
int agd_epoll_control(int epoll, int operation, int descriptor, uint32_t events);
int agd_epoll_wait(int epoll, int *descriptors, uint32_t *events, int capacity, int64_t timeout_ns);
extern const uint32_t agd_epoll_in;
extern const uint32_t agd_epoll_out;
extern const uint32_t agd_epoll_error;
extern const uint32_t agd_epoll_hangup;
extern const int agd_epoll_add;
extern const int agd_epoll_modify;
extern const int agd_epoll_delete;

int agd_eventfd(void);

// pidfd_open has no glibc wrapper that Swift can import. The descriptor becomes readable when the child ends.
int agd_pidfd_open(pid_t pid);
// Kills the process by its descriptor, because its number may already belong to another process.
int agd_pidfd_kill(int pidfd);
// Waits until a child that is ending has ended.
int agd_pidfd_reap(int pidfd);
// Reads how a child has ended, and leaves the child to be reaped. siginfo_t has unions. If `is_signal` is set, `number`
// is the signal that ended the child, else its status. Returns 0, or -1 if the child has not ended.
int agd_pidfd_end(int pidfd, int *is_signal, int *number);

// Returns the processor time that was charged to a process so far, by the clock with which RLIMIT_CPU is compared; -1
// if it cannot be read. A macro of the kernel makes the clock's number, and no header of the C library has that macro.
int64_t agd_charged_nanoseconds_of(pid_t pid);

// Creates a pair of sequenced-packet sockets. Each message is received as a whole, and each end is notified at once
// when the other end is closed.
int agd_socket_pair(int pair[2]);

// The CMSG_* macros are function-like. At most 16 descriptors go with a message.
#define AGD_MOST_DESCRIPTORS 16
ssize_t agd_send_message(int socket, const void *bytes, size_t length, const int *descriptors, size_t count);
// Received descriptors are close-on-exec. Returns the length of the message; 0 at the peer's end, or for a message
// without bytes, whose descriptors are closed; -1 with errno. EMSGSIZE means that the message or its descriptors did
// not fit; the received descriptors are closed.
ssize_t agd_receive_message(int socket, void *bytes, size_t capacity, int *descriptors, size_t *count);

// Calls posix_spawn with its attribute and action objects, which Swift imports as opaque unions. Returns 0 or an errno.
//
// `inherited` becomes descriptor 3 of the child. The standard streams of the child are /dev/null, so it cannot write
// into the parent's log. All other descriptors are closed. The signal mask is empty. The child leads its own process
// group, because the parent handles a ^C of the terminal.
int agd_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[], int inherited);
// The same with the descriptor of an ELF program, at least 4. Its later replacement or removal has no effect.
int agd_spawn_open(pid_t *pid, int executable, char *const arguments[], char *const environment[], int inherited);
// The commit of which the program was built, which `make build` links into it, or "unknown".
const char *agd_commit(void);
void agd_name_process(const char *name);

// ioprio_set has no glibc wrapper. The calling thread uses the disk only when no other thread needs it, and gets a
// small share of the processor (niceness 10).
int agd_lower_thread_priority(void);

// malloc.h is not in Swift's Glibc module. If more than `free_bytes` bytes in the heaps are free, this call trims all
// heaps. free(3) trims only the end of one heap.
void agd_trim_heap(size_t free_bytes);
// Returns the number of free bytes in the heaps, with those that a trim has returned to the system.
size_t agd_free_heap(void);
// Blocks of at most `block_bytes` bytes come from the heap instead of from their own mappings (at most 32 MiB). At most
// `free_bytes` free bytes stay at its end. Returns -1 if the allocator does not accept the values.
int agd_keep_heap(int block_bytes, int free_bytes);

// prctl is variadic. The kernel kills the caller when its parent dies.
int agd_die_with_parent(void);
// Calls prctl(PR_SET_NO_NEW_PRIVS) and prctl(PR_SET_DUMPABLE, 0).
int agd_no_new_privileges(void);

// setrlimit's first parameter is an enum in C and an Int32 in Swift, and differs between C libraries.
int agd_limit_data(uint64_t bytes);
int agd_limit_addresses(uint64_t bytes);
int agd_limit_cpu_of(pid_t pid, uint64_t seconds);
int agd_limit_file_size(uint64_t bytes);
int agd_limit_core(uint64_t bytes);
int agd_limit_processes(uint64_t count);
int agd_limit_open_files(uint64_t count);
int agd_raise_open_files(void);
// Enlarges the kernel's descriptor table of this process to at least this many slots, up to the limit. The table never
// shrinks. fcntl is variadic.
int agd_widen_descriptor_table(int slots);

// open is variadic. Creates an anonymous file in a directory, which gets a name only by linking. If the file system has
// no O_TMPFILE, the file is created with a name and unlinked, and *linkable is 0.
int agd_open_anonymous(const char *folder, mode_t mode, int *linkable);
// Gives an anonymous file its name, and does not replace another file. Returns 0, or -1 with errno (EEXIST: another
// file has the name).
int agd_link_anonymous(int descriptor, const char *path);

// pthread_setname_np is missing from Swift's Glibc module.
void agd_name_thread(const char *name);

// sys/inotify.h is in no module map.
int agd_inotify_create(void);
int agd_inotify_add(int inotify, const char *folder, uint32_t events);
int agd_inotify_remove(int inotify, int watch);
extern const uint32_t agd_in_close_write;
extern const uint32_t agd_in_moved_to;
extern const uint32_t agd_in_create;
// The directory itself was deleted or moved, its file system was unmounted, or the kernel has dropped the watch.
extern const uint32_t agd_in_gone;
extern const uint32_t agd_in_moved_self;
extern const uint32_t agd_in_overflow;
extern const uint32_t agd_in_folder;

// renameat2 and its flag need _GNU_SOURCE. Renames a file and does not replace another file. Returns 0, or -1 with
// errno (EEXIST: another file has the name; EINVAL: the file system does not support the flag).
int agd_rename_new(const char *from, const char *to);

// syncfs needs _GNU_SOURCE. Makes the whole file system of the descriptor durable.
int agd_sync_file_system(int descriptor);

// F_SETLEASE and F_SETSIG need _GNU_SOURCE. The descriptor must be open for reading. Returns 1 if any process has the
// file open for writing, 0 if none has; -1 with errno if the kernel does not report it.
int agd_is_open_for_writing(int descriptor);

// fcntl is variadic, and struct flock has the name of a function. Locks the whole file. The lock belongs to the open
// file, not to the process. Returns 0, or -1 with errno (EAGAIN: another open file holds the lock).
int agd_lock_file(int descriptor);
// Returns whether another open file holds the lock, without taking it: 1, 0, or -1 with errno.
int agd_is_file_locked(int descriptor);

// Swift imports the path of sockaddr_un as a tuple of 108 characters. Connects a new datagram socket to a Unix socket. A
// path that begins with @ is in the abstract namespace (unix(7)). Returns the descriptor, or -1 with errno.
int agd_connect_datagram(const char *path);

// The struct tcp_info of linux/tcp.h is longer than that of glibc, and SIOCINQ is in another kernel header. Returns the
// number of bytes that the program has read from a TCP socket, or fewer if bytes arrive during the call; -1 with errno
// for any other socket.
int64_t agd_consumed_bytes(int socket);

// The addresses of sockets have a type for each family, and sockaddr_un has its path as a tuple. Describes a listening
// stream socket: its family, and its address as text with its port. The text of a Unix socket is its path, and an
// abstract name begins with @. Sets O_NONBLOCK. Returns 0, or the reason why the descriptor cannot be used.
int agd_describe_listener(int descriptor, int *family, char *text, size_t capacity, int *port);
extern const int agd_listener_no_socket;
extern const int agd_listener_no_stream;
extern const int agd_listener_not_listening;
extern const int agd_listener_other_family;
// fcntl is variadic. Sets close-on-exec. Returns 0, or -1 with errno.
int agd_close_on_exec(int descriptor);

// clock_gettime's first parameter is a macro with a cast. Returns CLOCK_MONOTONIC in microseconds.
uint64_t agd_monotonic_microseconds(void);
// clock_gettime's first parameter is a macro here as well. The module in which Swift finds struct timespec depends on
// the order of imports. Returns CLOCK_BOOTTIME in nanoseconds.
int64_t agd_nanoseconds_since_boot(void);

// syscall and prctl are variadic, and linux/landlock.h and linux/seccomp.h are in no module map. Returns the version of
// the kernel's Landlock interface, or -1 with errno (ENOSYS: built without it, EOPNOTSUPP: switched off).
int agd_landlock_abi(void);
// Returns 0 if a seccomp filter can stop a process at a call, or -1 with errno.
int agd_seccomp_can_trap(void);
// memfd_create needs _GNU_SOURCE. Creates a file in memory that can be sealed.
int agd_memfd(void);
// Makes the bytes of a file of agd_memfd final for all descriptors. fcntl is variadic. EINVAL means another kind of
// file, EBUSY a file that is mapped for writing.
int agd_seal(int descriptor);

// getrlimit's first parameter differs as setrlimit's does. UINT64_MAX means no limit.
int agd_limits_of_open_files(uint64_t *soft, uint64_t *hard);
int agd_limits_of_processes(uint64_t *soft, uint64_t *hard);
int agd_limits_of_processor_time(uint64_t *soft, uint64_t *hard);

// sys/vfs.h is in no module map, and statvfs does not report the type before glibc 2.39. Returns the magic number
// (statfs(2)), or -1 with errno.
int64_t agd_file_system_type(const char *path);

// sockaddr must be cast for each family, the type of socket's constants depends on the order of imports, and
// linux/rtnetlink.h is in no module map. Calls `each` with the address of each interface, which has 4 or 16 bytes in
// network order. Returns 0, or -1 with errno.
int agd_interface_addresses(void *context, void (*each)(void *context, const uint8_t *bytes, size_t count));
// Returns a non-blocking socket that receives a message for each address that is added or removed (rtnetlink(7)), or -1
// with errno.
int agd_watch_interface_addresses(void);
// Writes the address from which the kernel would send to the target. Both have the same length, and no packet is sent.
// Returns 0, or -1 with errno.
int agd_source_address(const uint8_t *target, uint8_t *source, size_t count);

#endif

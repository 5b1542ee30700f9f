// The parts of Linux that Swift's Glibc module does not import, each with the reason beside it.
#ifndef AGD_LINUX_H
#define AGD_LINUX_H

// Nothing but types is included: a header of the kernel's that is parsed once here and once in Glibc's module, with
// other feature macros, gives Swift two definitions of one type.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// sys/epoll.h, sys/eventfd.h, sys/timerfd.h and sys/pidfd.h are in no module map; epoll_event is packed and has a union.
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

// pidfd_open has no glibc wrapper that Swift sees. The descriptor becomes readable when the child ends.
int agd_pidfd_open(pid_t pid);
// By the descriptor, never by the number, which may be another process's by then.
int agd_pidfd_kill(int pidfd);
// Waits for a child that ends.
int agd_pidfd_reap(int pidfd);
// Reads how a child has ended and leaves it to be reaped; siginfo_t has unions. `is_signal` says what `number` is: the
// signal that ended it, or its status. Returns 0, or -1 when the child has not ended.
int agd_pidfd_end(int pidfd, int *is_signal, int *number);

// Processor time that a process has been charged with so far, by the clock that RLIMIT_CPU is compared with; -1 when it
// cannot be read. The clock's number is made by a macro of the kernel that no header of the C library has.
int64_t agd_charged_nanoseconds_of(pid_t pid);

// A pair of sequenced-packet sockets: one message stays one message, and an end that closes is seen at once.
int agd_socket_pair(int pair[2]);

// CMSG_* are function-like macros. Up to 16 descriptors go with a message.
#define AGD_MOST_DESCRIPTORS 16
ssize_t agd_send_message(int socket, const void *bytes, size_t length, const int *descriptors, size_t count);
// Received descriptors are close-on-exec. Returns the message's length, 0 at the peer's end (or for a message without
// bytes, whose descriptors are closed), -1 with errno.
// EMSGSIZE: the message or its descriptors did not fit; what arrived is closed.
ssize_t agd_receive_message(int socket, void *bytes, size_t capacity, int *descriptors, size_t *count);

// posix_spawn with its attribute and action objects, which Swift imports as opaque unions. `inherited` becomes
// descriptor 3 of the child; its standard streams are /dev/null, so that it cannot write into the parent's log; all else
// is closed; the signal mask is empty and the child leads a process group of its own (a terminal's ^C is the parent's to
// handle). Returns 0 or an errno.
int agd_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[], int inherited);

// ioprio_set has no glibc wrapper. The calling thread reads and writes files, and computes, only when others do not.
int agd_lower_thread_priority(void);

// malloc.h is not in Swift's Glibc module. Goes through all heaps when more than so many bytes in them are free; free(3)
// gives back only the end of one heap.
void agd_trim_heap(size_t free_bytes);
// Blocks of up to so many bytes come from the heap instead of from mappings of their own (at most 32 MiB), and so many
// free ones stay at its end. -1 where the allocator does not take it.
int agd_keep_heap(int block_bytes, int free_bytes);

// prctl is variadic. The caller is killed when its parent dies.
int agd_die_with_parent(void);
// prctl(PR_SET_NO_NEW_PRIVS), prctl(PR_SET_DUMPABLE, 0)
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
// The kernel's table of this process's descriptors gets at least so many slots, for good; at most as many as the limit
// says. fcntl is variadic.
int agd_widen_descriptor_table(int slots);

// open is variadic. An anonymous file in a folder, with a name only if it is linked; falls back to a created and
// unlinked file where the file system knows no O_TMPFILE (*linkable is then 0).
int agd_open_anonymous(const char *folder, mode_t mode, int *linkable);
// Gives an anonymous file its name, never replacing another. 0, or -1 with errno (EEXIST: the name is taken).
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
// The folder itself was deleted or moved, its file system is gone, or the kernel has dropped the watch.
extern const uint32_t agd_in_gone;
extern const uint32_t agd_in_moved_self;
extern const uint32_t agd_in_overflow;
extern const uint32_t agd_in_folder;

// renameat2 and its flag need _GNU_SOURCE: a move that never replaces. 0, or -1 with errno (EEXIST: the name is taken;
// EINVAL: the file system knows no such move).
int agd_rename_new(const char *from, const char *to);

// syncfs needs _GNU_SOURCE. All of the descriptor's file system is made durable.
int agd_sync_file_system(int descriptor);

// F_SETLEASE and F_SETSIG need _GNU_SOURCE. Whether anybody has the file, which the descriptor has open for reading,
// open for writing: 1 or 0, or -1 with errno where the kernel does not tell.
int agd_is_open_for_writing(int descriptor);

// fcntl is variadic, and struct flock has the name of a function. A lock on the whole file that belongs to the open
// file, not to the process. 0, or -1 with errno (EAGAIN: another holds it).
int agd_lock_file(int descriptor);
// Whether another open file holds the lock, without taking it: 1, 0, or -1 with errno.
int agd_is_file_locked(int descriptor);

// sockaddr_un has its path as a tuple of 108 characters. Sends one datagram to a unix socket; a path that begins with @
// is in the abstract namespace (unix(7)). 0, or -1 with errno.
int agd_send_datagram(const char *path, const void *bytes, size_t length);

// linux/tcp.h, whose struct tcp_info is longer than that of glibc, and SIOCINQ. Bytes that the program has read from a TCP
// socket, or fewer if more bytes arrive meanwhile; -1 with errno for any other socket.
int64_t agd_consumed_bytes(int socket);

// clock_gettime's first parameter is a macro with a cast. CLOCK_MONOTONIC in microseconds.
uint64_t agd_monotonic_microseconds(void);
// The same, and in which module Swift finds struct timespec depends on what is imported first. CLOCK_BOOTTIME.
int64_t agd_nanoseconds_since_boot(void);

// syscall and prctl are variadic, and linux/landlock.h and linux/seccomp.h are in no module map. The version of
// Landlock's interface that the kernel speaks, or -1 with errno (ENOSYS: built without it, EOPNOTSUPP: switched off).
int agd_landlock_abi(void);
// 0 when a seccomp filter can stop a process at a call, or -1 with errno.
int agd_seccomp_can_trap(void);
// memfd_create needs _GNU_SOURCE. A new file in memory that can be sealed.
int agd_memfd(void);
// The bytes of a file of agd_memfd change no more, by whatever descriptor. fcntl is variadic. EINVAL for another file,
// EBUSY while it is mapped for writing.
int agd_seal(int descriptor);

// getrlimit's first parameter differs as setrlimit's does. UINT64_MAX: no limit.
int agd_limits_of_open_files(uint64_t *soft, uint64_t *hard);
int agd_limits_of_processes(uint64_t *soft, uint64_t *hard);
int agd_limits_of_processor_time(uint64_t *soft, uint64_t *hard);

// sys/vfs.h is in no module map, and statvfs does not tell the type before glibc 2.39. The magic number (statfs(2)), or
// -1 with errno.
int64_t agd_file_system_type(const char *path);

// sockaddr is cast for each family, the constants of socket are enums of whichever module reads them first, and
// linux/rtnetlink.h is in no module map. Addresses are 4 or 16 bytes in network order. Calls `each` with the address of
// every interface. 0, or -1 with errno.
int agd_interface_addresses(void *context, void (*each)(void *context, const uint8_t *bytes, size_t count));
// A socket that does not block and is told of each address that comes or goes (rtnetlink(7)), or -1 with errno.
int agd_watch_interface_addresses(void);
// The address, as long as the target, that the kernel would send from; nothing is sent. 0, or -1 with errno.
int agd_source_address(const uint8_t *target, uint8_t *source, size_t count);

#endif

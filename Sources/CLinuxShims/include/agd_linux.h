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

// Processor time that a process has used so far; -1 where it cannot be told.
int64_t agd_cpu_nanoseconds_of(pid_t pid);

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
// descriptor 3 of the child; standard input is /dev/null, output and error are the parent's error stream; all else is
// closed; the signal mask is empty and the child leads a process group of its own (a terminal's ^C is the parent's to
// handle). Returns 0 or an errno.
int agd_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[], int inherited);

// prctl is variadic. The caller is killed when its parent dies.
int agd_die_with_parent(void);
// prctl(PR_SET_NO_NEW_PRIVS), prctl(PR_SET_DUMPABLE, 0)
int agd_no_new_privileges(void);

// setrlimit's first parameter is an enum in C and an Int32 in Swift, and differs between C libraries.
int agd_limit_data(uint64_t bytes);
int agd_limit_cpu_of(pid_t pid, uint64_t seconds);
int agd_limit_file_size(uint64_t bytes);
int agd_limit_core(uint64_t bytes);
int agd_limit_processes(uint64_t count);
int agd_limit_open_files(uint64_t count);
int agd_raise_open_files(void);

// open is variadic. An anonymous file in a folder, with a name only if it is linked; falls back to a created and
// unlinked file where the file system knows no O_TMPFILE (*linkable is then 0).
int agd_open_anonymous(const char *folder, mode_t mode, int *linkable);
// Gives an anonymous file its name, never replacing another. 0, or -1 with errno (EEXIST: the name is taken).
int agd_link_anonymous(int descriptor, const char *path);

// pthread_setname_np is missing from Swift's Glibc module.
void agd_name_thread(const char *name);

#endif

#define _GNU_SOURCE
#include "agd_linux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <linux/landlock.h>
#include <linux/rtnetlink.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const uint32_t agd_epoll_in = EPOLLIN;
const uint32_t agd_epoll_out = EPOLLOUT;
const uint32_t agd_epoll_error = EPOLLERR;
const uint32_t agd_epoll_hangup = EPOLLHUP;
const int agd_epoll_add = EPOLL_CTL_ADD;
const int agd_epoll_modify = EPOLL_CTL_MOD;
const int agd_epoll_delete = EPOLL_CTL_DEL;

int agd_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int agd_epoll_control(int epoll, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int agd_epoll_wait(int epoll, int *descriptors, uint32_t *events, int capacity, int64_t timeout_ns) {
    struct epoll_event ready[64];
    if (capacity > 64) capacity = 64;
    struct timespec timeout = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
    int count = epoll_pwait2(epoll, ready, capacity, timeout_ns < 0 ? NULL : &timeout, NULL);
    // Kernels before 5.11, and filters that do not know the newer call, can wait only for milliseconds. The time is
    // rounded up, so that the loop does not spin.
    if (count < 0 && (errno == ENOSYS || errno == EPERM)) {
        int64_t milliseconds = timeout_ns < 0 ? -1 : (timeout_ns + 999999) / 1000000;
        count = epoll_wait(epoll, ready, capacity, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
    }
    for (int i = 0; i < count; i++) {
        descriptors[i] = ready[i].data.fd;
        events[i] = ready[i].events;
    }
    return count;
}

int agd_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int agd_pidfd_kill(int pidfd) { return (int)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0); }

int agd_pidfd_reap(int pidfd) {
    siginfo_t info;
    int result;
    do result = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED);
    while (result < 0 && errno == EINTR);
    return result;
}

int agd_pidfd_end(int pidfd, int *is_signal, int *number) {
    siginfo_t info = {0};
    int result;
    do result = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG | WNOWAIT);
    while (result < 0 && errno == EINTR);
    if (result < 0 || info.si_pid == 0) return -1;
    *is_signal = info.si_code != CLD_EXITED;
    *number = info.si_status;
    return 0;
}

int64_t agd_charged_nanoseconds_of(pid_t pid) {
    // The value is MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_PROF) of linux/posix-timers_types.h. clock_getcpuclockid(3)
    // returns CPUCLOCK_SCHED instead, which counts the time that was used and not the ticks that were charged.
    clockid_t clock = (clockid_t)(~(unsigned)pid << 3);
    struct timespec used;
    if (clock_gettime(clock, &used)) return -1;
    return used.tv_sec * 1000000000 + used.tv_nsec;
}

int agd_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int agd_socket_pair(int pair[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair); }

ssize_t agd_send_message(int socket, const void *bytes, size_t length, const int *descriptors, size_t count) {
    if (count > AGD_MOST_DESCRIPTORS) {
        errno = EMSGSIZE;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * AGD_MOST_DESCRIPTORS)];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t agd_receive_message(int socket, void *bytes, size_t capacity, int *descriptors, size_t *count) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * AGD_MOST_DESCRIPTORS)];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    *count = 0;
    if (received < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t arrived = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < arrived && *count < AGD_MOST_DESCRIPTORS; i++)
            memcpy(&descriptors[(*count)++], CMSG_DATA(header) + i * sizeof(int), sizeof(int));
    }
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        for (size_t i = 0; i < *count; i++) close(descriptors[i]);
        *count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    // A message without bytes has the same result as the end of the peer, but it can have descriptors.
    for (; received == 0 && *count > 0; --*count) close(descriptors[*count - 1]);
    return received;
}

int agd_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[], int inherited) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // The duplication of a descriptor to its own number clears close-on-exec, so `inherited` may be 3 already. This
    // action is the first one, because `inherited` has the number of a standard stream if the parent has none.
    if ((error = posix_spawn_file_actions_adddup2(&actions, inherited, 3)) == 0 &&
        (error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)) == 0 &&
        (error = posix_spawn_file_actions_adddup2(&actions, 0, 1)) == 0 &&
        (error = posix_spawn_file_actions_adddup2(&actions, 0, 2)) == 0 &&
        (error = posix_spawn_file_actions_addclosefrom_np(&actions, 4)) == 0 &&
        (error = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (error = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (error = posix_spawnattr_setpgroup(&attributes, 0)) == 0 &&
        (error = posix_spawnattr_setflags(
             &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)) == 0)
        error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Starts the program in an open file, with the environment and descriptors of `agd_spawn`. posix_spawn takes a path only.
static void start_open(int executable, char *const arguments[], char *const environment[], int inherited) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    if (setpgid(0, 0)) return;
    if (inherited == 3 ? fcntl(3, F_SETFD, 0) : dup2(inherited, 3) < 0) return;
    close(0);
    if (open("/dev/null", O_RDWR) != 0 || dup2(0, 1) < 0 || dup2(0, 2) < 0) return;
    // CLOSE_RANGE_CLOEXEC (Linux 5.11) keeps `executable` until the program is started.
    if (syscall(SYS_close_range, 4, ~0U, 1 << 2)) return;
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL)) return;
    syscall(SYS_execveat, executable, "", arguments, environment, AT_EMPTY_PATH);
}

int agd_spawn_open(pid_t *pid, int executable, char *const arguments[], char *const environment[], int inherited) {
    // No handler of a signal may run in the child, which has the memory of the parent until its program is started.
    sigset_t all, before;
    sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error) return error;
    volatile int failure = 0;
    pid_t child = vfork();
    if (child == 0) {
        start_open(executable, arguments, environment, inherited);
        failure = errno;
        _exit(127);
    }
    error = child < 0 ? errno : failure;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child > 0 && error) waitpid(child, NULL, 0);
    *pid = child;
    return error;
}

extern const char agd_build_commit[] __attribute__((weak));
const char *agd_commit(void) { return agd_build_commit ? agd_build_commit : "unknown"; }
void agd_name_process(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int agd_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }
int agd_no_new_privileges(void) {
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int agd_lower_thread_priority(void) {
    // The arguments are IOPRIO_WHO_PROCESS, this thread, and IOPRIO_CLASS_IDLE. Older headers lack linux/ioprio.h.
    long disk = syscall(SYS_ioprio_set, 1, 0, 3 << 13);
    int processor = setpriority(PRIO_PROCESS, 0, 10);
    return disk || processor ? -1 : 0;
}

void agd_trim_heap(size_t free_bytes) {
    if (mallinfo2().fordblks > free_bytes) malloc_trim(0);
}
size_t agd_free_heap(void) { return mallinfo2().fordblks; }
int agd_keep_heap(int block_bytes, int free_bytes) {
    // mallopt returns 0 for a value that it does not accept.
    return mallopt(M_MMAP_THRESHOLD, block_bytes) && mallopt(M_TRIM_THRESHOLD, free_bytes) ? 0 : -1;
}

static int limit(int resource, uint64_t value) {
    struct rlimit both;
    if (getrlimit(resource, &both)) return -1;
    // A lower limit of a supervisor is not changed, because a process needs a privilege to raise its hard limit.
    if (value < both.rlim_max) both.rlim_max = value;
    both.rlim_cur = both.rlim_max;
    return setrlimit(resource, &both);
}
int agd_limit_data(uint64_t bytes) { return limit(RLIMIT_DATA, bytes); }
int agd_limit_addresses(uint64_t bytes) { return limit(RLIMIT_AS, bytes); }
int agd_limit_cpu_of(pid_t pid, uint64_t seconds) {
    // Only the soft limit changes. A hard limit could not be raised for the next job without a privilege.
    struct rlimit both;
    if (prlimit(pid, RLIMIT_CPU, NULL, &both)) return -1;
    both.rlim_cur = seconds < both.rlim_max ? seconds : both.rlim_max;
    return prlimit(pid, RLIMIT_CPU, &both, NULL);
}
int agd_limit_file_size(uint64_t bytes) { return limit(RLIMIT_FSIZE, bytes); }
int agd_limit_core(uint64_t bytes) { return limit(RLIMIT_CORE, bytes); }
int agd_limit_processes(uint64_t count) { return limit(RLIMIT_NPROC, count); }
int agd_limit_open_files(uint64_t count) { return limit(RLIMIT_NOFILE, count); }

int agd_raise_open_files(void) {
    struct rlimit both;
    if (getrlimit(RLIMIT_NOFILE, &both)) return -1;
    both.rlim_cur = both.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &both);
}

int agd_widen_descriptor_table(int slots) {
    int any = eventfd(0, EFD_CLOEXEC);
    if (any < 0) return -1;
    int last = fcntl(any, F_DUPFD_CLOEXEC, slots - 1);
    int reason = errno;
    close(any);
    if (last >= 0) close(last);
    errno = reason;
    return last < 0 ? -1 : 0;
}

int agd_open_anonymous(const char *folder, mode_t mode, int *linkable) {
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    *linkable = descriptor >= 0;
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return descriptor;
    char *path = NULL;
    if (asprintf(&path, "%s/.part-XXXXXX", folder) < 0) return -1;
    descriptor = mkostemp(path, O_CLOEXEC);
    int error = errno;
    if (descriptor >= 0) unlink(path);
    free(path);
    errno = error;
    return descriptor;
}

int agd_link_anonymous(int descriptor, const char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

void agd_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

const uint32_t agd_in_close_write = IN_CLOSE_WRITE;
const uint32_t agd_in_moved_to = IN_MOVED_TO;
const uint32_t agd_in_create = IN_CREATE;
const uint32_t agd_in_gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;
const uint32_t agd_in_moved_self = IN_MOVE_SELF;
const uint32_t agd_in_overflow = IN_Q_OVERFLOW;
const uint32_t agd_in_folder = IN_ISDIR;

int agd_inotify_create(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int agd_inotify_add(int inotify, const char *folder, uint32_t events) {
    return inotify_add_watch(
        inotify, folder, events | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW);
}

int agd_inotify_remove(int inotify, int watch) { return inotify_rm_watch(inotify, watch); }

int agd_rename_new(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int agd_sync_file_system(int descriptor) { return syncfs(descriptor); }

int agd_is_open_for_writing(int descriptor) {
    // If another process opens the file for writing during the lease, the kernel sends a signal to this process. The
    // default signal SIGIO would end the process. SIGURG is ignored by default.
    if (fcntl(descriptor, F_SETSIG, SIGURG)) return -1;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK)) return errno == EAGAIN ? 1 : -1;
    // A lease that the kernel is breaking is released in the same way.
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

int agd_lock_file(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int agd_is_file_locked(int descriptor) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_GETLK, &lock)) return -1;
    return lock.l_type != F_UNLCK;
}

int agd_connect_datagram(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t path_length = strlen(path);
    if (path_length < 2 || path_length >= sizeof address.sun_path) {
        errno = path_length < 2 ? EINVAL : ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, path_length);
    if (path[0] == '@') address.sun_path[0] = 0;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path_length);
    if (connect(descriptor, (struct sockaddr *)&address, length) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

uint64_t agd_monotonic_microseconds(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int64_t agd_nanoseconds_since_boot(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int agd_landlock_abi(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int agd_seccomp_can_trap(void) {
    uint32_t action = SECCOMP_RET_TRAP;
    return (int)syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action);
}

int agd_seal(int descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}
int agd_memfd(void) { return memfd_create("appgroupd", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

static int limits(int resource, uint64_t *soft, uint64_t *hard) {
    struct rlimit both;
    if (getrlimit(resource, &both)) return -1;
    *soft = both.rlim_cur;
    *hard = both.rlim_max;
    return 0;
}
int agd_limits_of_open_files(uint64_t *soft, uint64_t *hard) { return limits(RLIMIT_NOFILE, soft, hard); }
int agd_limits_of_processes(uint64_t *soft, uint64_t *hard) { return limits(RLIMIT_NPROC, soft, hard); }
int agd_limits_of_processor_time(uint64_t *soft, uint64_t *hard) { return limits(RLIMIT_CPU, soft, hard); }

int64_t agd_file_system_type(const char *path) {
    struct statfs facts;
    return statfs(path, &facts) ? -1 : (int64_t)(uint32_t)facts.f_type;
}

int agd_interface_addresses(void *context, void (*each)(void *context, const uint8_t *bytes, size_t count)) {
    struct ifaddrs *first;
    if (getifaddrs(&first)) return -1;
    for (struct ifaddrs *entry = first; entry; entry = entry->ifa_next) {
        if (!entry->ifa_addr) continue;
        if (entry->ifa_addr->sa_family == AF_INET) {
            each(context, (const uint8_t *)&((struct sockaddr_in *)entry->ifa_addr)->sin_addr, 4);
        } else if (entry->ifa_addr->sa_family == AF_INET6) {
            each(context, (const uint8_t *)&((struct sockaddr_in6 *)entry->ifa_addr)->sin6_addr, 16);
        }
    }
    freeifaddrs(first);
    return 0;
}

static int closed(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int agd_watch_interface_addresses(void) {
    int watch = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (watch < 0) return -1;
    struct sockaddr_nl groups = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
    return bind(watch, (struct sockaddr *)&groups, sizeof groups) ? closed(watch) : watch;
}

int agd_source_address(const uint8_t *target, uint8_t *source, size_t count) {
    if (count != 4 && count != 16) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
    memset(&address, 0, sizeof address);
    void *bytes = count == 4 ? (void *)&address.v4.sin_addr : (void *)&address.v6.sin6_addr;
    socklen_t length = count == 4 ? sizeof address.v4 : sizeof address.v6;
    address.any.sa_family = count == 4 ? AF_INET : AF_INET6;
    // Any port except 0 is possible. Both structures have the port at the same offset.
    address.v4.sin_port = htons(443);
    memcpy(bytes, target, count);
    int end = socket(address.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (end < 0) return -1;
    if (connect(end, &address.any, length) || getsockname(end, &address.any, &length)) return closed(end);
    memcpy(source, bytes, count);
    close(end);
    return 0;
}

int64_t agd_consumed_bytes(int socket) {
    struct tcp_info facts;
    memset(&facts, 0, sizeof facts);
    socklen_t length = sizeof facts;
    int unread = 0;
    // The number of received bytes is read first, so that bytes that arrive between the calls count as unread.
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &facts, &length) || ioctl(socket, SIOCINQ, &unread)) return -1;
    return (int64_t)facts.tcpi_bytes_received - unread;
}

const int agd_listener_no_socket = 1;
const int agd_listener_no_stream = 2;
const int agd_listener_not_listening = 3;
const int agd_listener_other_family = 4;

int agd_describe_listener(int descriptor, int *family, char *text, size_t capacity, int *port) {
    int type = 0;
    int listens = 0;
    socklen_t length = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length)) return agd_listener_no_socket;
    if (type != SOCK_STREAM) return agd_listener_no_stream;
    length = sizeof listens;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) || !listens) {
        return agd_listener_not_listening;
    }
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
    } address;
    memset(&address, 0, sizeof address);
    length = sizeof address;
    if (getsockname(descriptor, &address.any, &length)) return agd_listener_no_socket;
    *family = address.any.sa_family;
    *port = 0;
    const char *found = NULL;
    switch (address.any.sa_family) {
    case AF_INET:
        *port = ntohs(address.v4.sin_port);
        found = inet_ntop(AF_INET, &address.v4.sin_addr, text, (socklen_t)capacity);
        break;
    case AF_INET6:
        *port = ntohs(address.v6.sin6_port);
        found = inet_ntop(AF_INET6, &address.v6.sin6_addr, text, (socklen_t)capacity);
        break;
    case AF_UNIX: {
        size_t start = offsetof(struct sockaddr_un, sun_path);
        size_t count = length > start ? length - start : 0;
        if (count >= capacity) return agd_listener_other_family;
        memcpy(text, address.local.sun_path, count);
        text[count] = 0;
        if (count > 0 && text[0] == 0) text[0] = '@';
        found = text;
        break;
    }
    default: break;
    }
    if (!found) return agd_listener_other_family;
    // Two daemons may wait for the same connection during a restart. Without the flag, one of them would block.
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) ? agd_listener_no_socket : 0;
}

int agd_close_on_exec(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

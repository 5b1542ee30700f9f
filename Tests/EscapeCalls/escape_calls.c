#define _GNU_SOURCE
#include "escape_calls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif

typedef struct agd_escape_place place_t;

static long answer(long result) { return result < 0 ? -errno : result; }

static char path_space[512];
static const char *path(const place_t *place, const char *name) {
    snprintf(path_space, sizeof path_space, "%s/%s", place->directory, name);
    return path_space;
}

// Defines an escape that is one system call. Few of these calls could do harm without the filter, because the worker
// has no capabilities.
#define CALL(name, number, ...)                                                                                         \
    static long way_##name(const place_t *place) {                                                                      \
        (void)place;                                                                                                    \
        return answer(syscall(number, ##__VA_ARGS__));                                                                  \
    }

static char space[4096];
static struct iovec part = {.iov_base = space, .iov_len = 16};
static struct sockaddr_in loopback;
static char *const words[] = {"/bin/sh", "-c", "exit 0", NULL};
static char *const nothing[] = {NULL};

// Escapes through files and their names.
CALL(open, SYS_open, path(place, "canary"), O_RDONLY)
CALL(open_write, SYS_open, path(place, "made"), O_CREAT | O_WRONLY, 0600)
CALL(openat, SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY)
CALL(creat, SYS_creat, path(place, "made"), 0600)
static long way_openat2(const place_t *place) {
    uint64_t how[3] = {O_RDONLY, 0, 0};
    return answer(syscall(SYS_openat2, AT_FDCWD, path(place, "canary"), how, sizeof how));
}
CALL(open_by_handle_at, SYS_open_by_handle_at, 0, space, O_RDONLY)
CALL(name_to_handle_at, SYS_name_to_handle_at, AT_FDCWD, "/etc", space, space + 512, 0)
CALL(stat, SYS_stat, "/etc/passwd", space)
CALL(newfstatat, SYS_newfstatat, AT_FDCWD, "/etc/passwd", space, 0)
CALL(statx, SYS_statx, AT_FDCWD, "/etc/passwd", 0, 0xFFF, space)
CALL(access, SYS_access, "/etc/passwd", R_OK)
CALL(readlink, SYS_readlink, "/proc/self/exe", space, sizeof space)
CALL(getcwd, SYS_getcwd, space, sizeof space)
CALL(getdents64, SYS_getdents64, place->input, space, sizeof space)
CALL(unlink, SYS_unlink, path(place, "canary"))
CALL(rename, SYS_rename, path(place, "canary"), "/tmp/appgroupd-canary")
CALL(symlink, SYS_symlink, "/etc/passwd", path(place, "made"))
CALL(link, SYS_link, "/etc/passwd", path(place, "made"))
CALL(mkdir, SYS_mkdir, path(place, "made"), 0700)
CALL(mknod, SYS_mknod, path(place, "made"), S_IFIFO | 0600, 0)
CALL(chmod, SYS_chmod, path(place, "canary"), 0777)
CALL(fchmod, SYS_fchmod, place->output, 04777)
CALL(chown, SYS_chown, path(place, "canary"), 1, 1)
CALL(truncate, SYS_truncate, path(place, "canary"), 0)
CALL(utimensat, SYS_utimensat, AT_FDCWD, path(place, "canary"), NULL, 0)
CALL(setxattr, SYS_setxattr, path(place, "canary"), "user.x", "x", 1, 0)
CALL(chdir, SYS_chdir, "/")
CALL(chroot, SYS_chroot, "/")
CALL(pivot_root, SYS_pivot_root, "/", "/")
CALL(mount, SYS_mount, "none", path(place, "made"), "tmpfs", 0, "")
CALL(umount2, SYS_umount2, path(place, "made"), 0)
CALL(fsopen, SYS_fsopen, "tmpfs", 0)
CALL(open_tree, SYS_open_tree, AT_FDCWD, "/", 0)
CALL(swapon, SYS_swapon, path(place, "canary"), 0)
CALL(quotactl, SYS_quotactl, 0, "/", 0, space)
CALL(inotify_init1, SYS_inotify_init1, 0)
CALL(fanotify_init, SYS_fanotify_init, 0, 0)

// Escapes through descriptors.
CALL(dup, SYS_dup, place->input)
CALL(dup2, SYS_dup2, place->input, 3)
CALL(fcntl, SYS_fcntl, place->output, F_DUPFD, 10)
CALL(ioctl, SYS_ioctl, 0, TIOCSTI, "x")
CALL(read, SYS_read, place->input, space, 16)
CALL(writev, SYS_writev, place->output, &part, 1)
CALL(sendfile, SYS_sendfile, place->output, place->input, NULL, 16)
CALL(splice, SYS_splice, place->input, NULL, place->output, NULL, 16, 0)
CALL(tee, SYS_tee, place->input, place->output, 16, 0)
CALL(vmsplice, SYS_vmsplice, place->output, &part, 1, 0)
CALL(copy_file_range, SYS_copy_file_range, place->input, NULL, place->output, NULL, 16, 0)
CALL(pipe2, SYS_pipe2, space, 0)
CALL(epoll_create1, SYS_epoll_create1, 0)
CALL(eventfd2, SYS_eventfd2, 0, 0)
CALL(timerfd_create, SYS_timerfd_create, CLOCK_MONOTONIC, 0)
CALL(signalfd4, SYS_signalfd4, -1, space, 8, 0)
CALL(memfd_create, SYS_memfd_create, "x", 0)
CALL(memfd_secret, SYS_memfd_secret, 0)
CALL(userfaultfd, SYS_userfaultfd, 0)
CALL(close_range, SYS_close_range, 0, ~0U, 0)
CALL(fallocate, SYS_fallocate, place->output, 0, 0, 1 << 20)
CALL(fsync, SYS_fsync, place->output)
CALL(io_uring_setup, SYS_io_uring_setup, 4, space)
CALL(io_uring_enter, SYS_io_uring_enter, 3, 1, 0, 0, NULL, 0)
CALL(io_setup, SYS_io_setup, 4, space)

// Escapes through the network and the sockets of other processes.
static long way_socket(const place_t *place) {
    struct sockaddr_in listener = {
        .sin_family = AF_INET, .sin_port = htons(place->port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int connection = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    return connection < 0 ? -errno : answer(syscall(SYS_connect, connection, &listener, sizeof listener));
}
CALL(socket_unix, SYS_socket, AF_UNIX, SOCK_STREAM, 0)
CALL(socket_netlink, SYS_socket, AF_NETLINK, SOCK_RAW, 0)
CALL(socket_packet, SYS_socket, AF_PACKET, SOCK_RAW, 0)
CALL(socketpair, SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, space)
CALL(connect, SYS_connect, 3, &loopback, sizeof loopback)
CALL(bind, SYS_bind, 3, &loopback, sizeof loopback)
CALL(listen, SYS_listen, 3, 1)
CALL(accept4, SYS_accept4, 3, NULL, NULL, 0)
CALL(sendto, SYS_sendto, 3, space, 1, 0, NULL, 0)
CALL(recvfrom, SYS_recvfrom, 3, space, 1, MSG_DONTWAIT, NULL, NULL)
static long way_sendmsg(const place_t *place) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))}};
    memcpy(CMSG_DATA(&control.header), &place->input, sizeof(int));
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
    return answer(syscall(SYS_sendmsg, 3, &message, 0));
}
CALL(setsockopt, SYS_setsockopt, 3, SOL_SOCKET, SO_SNDBUF, space, 4)
CALL(getpeername, SYS_getpeername, 3, space, space + 128)

// Escapes through processes and threads.
CALL(execve, SYS_execve, "/bin/sh", words, nothing)
CALL(execveat, SYS_execveat, place->input, "", words, nothing, AT_EMPTY_PATH)
CALL(fork, SYS_fork)
CALL(vfork, SYS_vfork)
CALL(clone, SYS_clone, SIGCHLD, NULL, NULL, NULL, 0)
static long way_clone3(const place_t *place) {
    (void)place;
    uint64_t arguments[11] = {0};
    arguments[4] = SIGCHLD;
    return answer(syscall(SYS_clone3, arguments, sizeof arguments));
}
static void *thread(void *context) { return context; }
static long way_thread(const place_t *place) {
    (void)place;
    pthread_t other;
    return -pthread_create(&other, NULL, thread, NULL);
}
CALL(kill, SYS_kill, place->parent, SIGURG)
CALL(kill_everybody, SYS_kill, -1, 0)
CALL(kill_none, SYS_kill, 0, 0)
CALL(tgkill, SYS_tgkill, place->parent, place->parent, SIGURG)
CALL(tkill, SYS_tkill, place->parent, SIGURG)
static long way_rt_sigqueueinfo(const place_t *place) {
    siginfo_t info = {.si_signo = SIGURG, .si_code = SI_QUEUE};
    return answer(syscall(SYS_rt_sigqueueinfo, place->parent, SIGURG, &info));
}
CALL(getppid, SYS_getppid)
CALL(pidfd_open, SYS_pidfd_open, place->parent, 0)
CALL(pidfd_send_signal, SYS_pidfd_send_signal, 3, 0, NULL, 0)
CALL(pidfd_getfd, SYS_pidfd_getfd, 3, 0, 0)
CALL(process_mrelease, SYS_process_mrelease, 3, 0)
CALL(ptrace, SYS_ptrace, PTRACE_ATTACH, place->parent, NULL, NULL)
CALL(ptrace_me, SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL)
CALL(process_vm_readv, SYS_process_vm_readv, place->parent, &part, 1, &part, 1, 0)
CALL(process_vm_writev, SYS_process_vm_writev, place->parent, &part, 1, &part, 1, 0)
CALL(process_madvise, SYS_process_madvise, 3, &part, 1, MADV_COLD, 0)
CALL(kcmp, SYS_kcmp, 1, 1, 0, 0, 0)
CALL(wait4, SYS_wait4, -1, NULL, WNOHANG, NULL)
CALL(setpgid, SYS_setpgid, 0, 0)
CALL(setsid, SYS_setsid)
CALL(setpriority, SYS_setpriority, PRIO_PROCESS, 0, -20)
CALL(futex_inheritance, SYS_futex, space, FUTEX_TRYLOCK_PI | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0)
CALL(futex_requeue, SYS_futex, space, FUTEX_CMP_REQUEUE_PI | FUTEX_PRIVATE_FLAG, 1, NULL, space + 64, 0)
CALL(futex_shared, SYS_futex, space, FUTEX_WAKE, 1, NULL, NULL, 0)
CALL(sched_setscheduler, SYS_sched_setscheduler, 0, SCHED_FIFO, space)
CALL(sched_setaffinity, SYS_sched_setaffinity, 0, sizeof space, space)
CALL(prlimit64, SYS_prlimit64, 0, RLIMIT_DATA, NULL, space)
CALL(prlimit64_parent, SYS_prlimit64, place->parent, RLIMIT_NOFILE, NULL, space)
CALL(setrlimit, SYS_setrlimit, RLIMIT_NOFILE, space)
CALL(alarm, SYS_alarm, 1000)
CALL(setitimer, SYS_setitimer, ITIMER_REAL, space, NULL)
CALL(timer_create, SYS_timer_create, CLOCK_MONOTONIC, NULL, space)
CALL(nanosleep, SYS_nanosleep, space, NULL)

// Escapes through privileges, namespaces and the filter itself.
CALL(setuid, SYS_setuid, 0)
CALL(setresuid, SYS_setresuid, 0, 0, 0)
CALL(setgroups, SYS_setgroups, 0, NULL)
CALL(capset, SYS_capset, space, space)
CALL(unshare, SYS_unshare, CLONE_NEWUSER)
CALL(setns, SYS_setns, 3, 0)
CALL(prctl, SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0)
CALL(prctl_memory, SYS_prctl, PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0)
CALL(arch_prctl, SYS_arch_prctl, 0x1002, 0)
CALL(personality, SYS_personality, 0x0400000)
CALL(seccomp, SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL)
static long way_seccomp_filter(const place_t *place) {
    (void)place;
    struct sock_filter allow = {.code = BPF_RET, .k = SECCOMP_RET_ALLOW};
    struct sock_fprog program = {.len = 1, .filter = &allow};
    return answer(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}
CALL(landlock_create_ruleset, SYS_landlock_create_ruleset, NULL, 0, 1)
CALL(rt_sigaction, SYS_rt_sigaction, SIGSYS, NULL, space, 8)
static long way_rt_sigprocmask(const place_t *place) {
    uint64_t signals = 1UL << (SIGSYS - 1);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &signals, NULL, sizeof signals);
    return answer(syscall(SYS_open, path(place, "canary"), O_RDONLY));
}
CALL(rt_sigreturn, SYS_rt_sigreturn)
CALL(sigaltstack, SYS_sigaltstack, NULL, space)
CALL(set_robust_list, SYS_set_robust_list, space, 24)
CALL(rseq, SYS_rseq, space, 32, 0, 0)

// Escapes through mappings of memory.
static long mapping(int protection, int flags, int descriptor) {
    return answer((long)mmap(NULL, 4096, protection, flags, descriptor, 0));
}
static long way_map_executable(const place_t *place) {
    (void)place;
    return mapping(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}
static long way_map_rwx(const place_t *place) {
    (void)place;
    return mapping(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}
static long way_map_input_executable(const place_t *place) {
    return mapping(PROT_READ | PROT_EXEC, MAP_PRIVATE, place->input);
}
static long way_map_input_writable(const place_t *place) {
    return mapping(PROT_READ | PROT_WRITE, MAP_PRIVATE, place->input);
}
static long way_map_output_shared(const place_t *place) {
    return mapping(PROT_READ | PROT_WRITE, MAP_SHARED, place->output);
}
static long way_map_shared(const place_t *place) {
    (void)place;
    return mapping(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
}
// The kernel counts such a mapping as a stack, which RLIMIT_DATA does not limit.
static long way_map_stack(const place_t *place) {
    (void)place;
    return mapping(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
}
// If a mapping replaces another one, the kernel checks only the additional size against the limit.
static long way_map_over(const place_t *place) {
    (void)place;
    void *other = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return answer((long)mmap(other, 4096, PROT_READ | PROT_WRITE, flags, -1, 0));
}
static long way_map_locked(const place_t *place) {
    (void)place;
    return mapping(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1);
}
static long protecting(int protection) {
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return answer(mprotect(page, 4096, protection));
}
static long way_protect_executable(const place_t *place) {
    (void)place;
    return protecting(PROT_READ | PROT_EXEC);
}
// If the limit of addresses is reached, the kernel does not check the data limit when pages become writable.
static long way_protect_writable(const place_t *place) {
    (void)place;
    return protecting(PROT_READ | PROT_WRITE);
}
CALL(pkey_mprotect, SYS_pkey_mprotect, (uintptr_t)space & ~4095UL, 4096, PROT_READ | PROT_EXEC, -1)
CALL(advise_merging, SYS_madvise, (uintptr_t)space & ~4095UL, 4096, MADV_MERGEABLE)
CALL(remap_file_pages, SYS_remap_file_pages, space, 4096, 0, 0, 0)
CALL(mlockall, SYS_mlockall, 1)
CALL(mbind, SYS_mbind, space, 4096, 0, NULL, 0, 0)
CALL(shmget, SYS_shmget, 0, 4096, 0600)
CALL(msgget, SYS_msgget, 0, 0600)
CALL(semget, SYS_semget, 0, 1, 0600)
CALL(mq_open, SYS_mq_open, "x", O_CREAT | O_RDWR, 0600, NULL)

// Escapes through interfaces for the administration of the kernel.
static long way_bpf(const place_t *place) {
    (void)place;
    union bpf_attr attributes = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return answer(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}
static long way_perf_event_open(const place_t *place) {
    (void)place;
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes};
    return answer(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}
CALL(keyctl, SYS_keyctl, 0, -3, 1)
CALL(add_key, SYS_add_key, "user", "x", "x", 1, -3)
CALL(request_key, SYS_request_key, "user", "x", NULL, 0)
CALL(init_module, SYS_init_module, space, sizeof space, "")
CALL(finit_module, SYS_finit_module, place->input, "", 0)
CALL(delete_module, SYS_delete_module, "x", 0)
CALL(kexec_load, SYS_kexec_load, 0, 0, NULL, 0)
CALL(reboot, SYS_reboot, 0, 0, 0, NULL)
CALL(syslog, SYS_syslog, 3, space, sizeof space)
CALL(acct, SYS_acct, NULL)
CALL(iopl, SYS_iopl, 3)
CALL(modify_ldt, SYS_modify_ldt, 0, space, sizeof space)
CALL(settimeofday, SYS_settimeofday, NULL, NULL)
CALL(clock_settime, SYS_clock_settime, CLOCK_REALTIME, space)
CALL(sethostname, SYS_sethostname, "x", 1)
CALL(uname, SYS_uname, space)
CALL(sysinfo, SYS_sysinfo, space)
CALL(getpid, SYS_getpid)
CALL(getrandom, SYS_getrandom, space, 16, 0)
CALL(getrusage, SYS_getrusage, 0, space)
CALL(vhangup, SYS_vhangup)
CALL(unknown, 9999)

// Escapes through other system call interfaces of the same kernel.
static long i386(long number, long first) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(0L), "d"(0L) : "memory");
    return result;
}
#define I386(name, number, first)                                                                                       \
    static long way_i386_##name(const place_t *place) {                                                                 \
        (void)place;                                                                                                    \
        return i386(number, first);                                                                                     \
    }
I386(getpid, 20, 0)
I386(fork, 2, 0)
I386(socketcall, 102, 1)
// Number 1 is exit in this interface. In the native interface it is write, which is allowed.
I386(exit, 1, 0)
// This interface accepts only addresses of 32 bits.
static long way_i386_open(const place_t *place) {
    void *wanted = (void *)0x10000000;
    char *low = mmap(wanted, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low != wanted) return -errno;
    strcpy(low, path(place, "canary"));
    return i386(5, (long)low);
}
CALL(x32_getpid, 0x40000000 | SYS_getpid)
// Without the bit of this interface, the number is that of an allowed call.
CALL(x32_close, 0x40000000 | SYS_close, 63)
// In this interface, execve has another number than in the native one, and libseccomp has no name for it.
CALL(x32_execve, 0x40000000 | 520, "/bin/sh", words, nothing)

static long way_close_and_open(const place_t *place) {
    close(3);
    return answer(syscall(SYS_open, path(place, "canary"), O_RDONLY));
}

static const struct {
    const char *name;
    long (*way)(const place_t *);
} ways[] = {
    {"open", way_open},
    {"open: to write", way_open_write},
    {"open: without a socket for the report", way_close_and_open},
#define NAMED(name) {#name, way_##name}
    NAMED(openat), NAMED(creat), NAMED(openat2), NAMED(open_by_handle_at), NAMED(name_to_handle_at), NAMED(stat),
    NAMED(newfstatat), NAMED(statx), NAMED(access), NAMED(readlink), NAMED(getcwd), NAMED(getdents64), NAMED(unlink),
    NAMED(rename), NAMED(symlink), NAMED(link), NAMED(mkdir), NAMED(mknod), NAMED(chmod), NAMED(fchmod), NAMED(chown),
    NAMED(truncate), NAMED(utimensat), NAMED(setxattr), NAMED(chdir), NAMED(chroot), NAMED(pivot_root), NAMED(mount),
    NAMED(umount2), NAMED(fsopen), NAMED(open_tree), NAMED(swapon), NAMED(quotactl), NAMED(inotify_init1),
    NAMED(fanotify_init), NAMED(dup), NAMED(dup2), NAMED(fcntl), NAMED(ioctl), NAMED(read), NAMED(writev),
    NAMED(sendfile), NAMED(splice), NAMED(tee), NAMED(vmsplice), NAMED(copy_file_range), NAMED(pipe2),
    NAMED(epoll_create1), NAMED(eventfd2), NAMED(timerfd_create), NAMED(signalfd4), NAMED(memfd_create),
    NAMED(memfd_secret), NAMED(userfaultfd), NAMED(close_range), NAMED(fallocate), NAMED(fsync), NAMED(io_uring_setup),
    NAMED(io_uring_enter), NAMED(io_setup), NAMED(socket),
    {"socket: unix", way_socket_unix},
    {"socket: netlink", way_socket_netlink},
    {"socket: packet", way_socket_packet},
    NAMED(socketpair), NAMED(connect), NAMED(bind), NAMED(listen), NAMED(accept4), NAMED(sendto), NAMED(recvfrom),
    NAMED(sendmsg), NAMED(setsockopt), NAMED(getpeername), NAMED(execve), NAMED(execveat), NAMED(fork), NAMED(vfork),
    NAMED(clone), NAMED(clone3),
    {"rt_sigaction: the first call of pthread_create", way_thread},
    NAMED(kill),
    {"kill: everybody", way_kill_everybody},
    {"kill: the own process group", way_kill_none},
    NAMED(getppid), NAMED(tgkill), NAMED(tkill), NAMED(rt_sigqueueinfo), NAMED(pidfd_open), NAMED(pidfd_send_signal),
    NAMED(pidfd_getfd), NAMED(process_mrelease), NAMED(ptrace),
    {"ptrace: by the parent", way_ptrace_me},
    NAMED(process_vm_readv), NAMED(process_vm_writev), NAMED(process_madvise), NAMED(kcmp), NAMED(wait4),
    NAMED(setpgid), NAMED(setsid), NAMED(setpriority), NAMED(sched_setscheduler), NAMED(sched_setaffinity),
    NAMED(prlimit64),
    {"prlimit64: of the daemon", way_prlimit64_parent},
    NAMED(setrlimit), NAMED(alarm), NAMED(setitimer), NAMED(timer_create), NAMED(nanosleep),
    NAMED(setuid), NAMED(setresuid), NAMED(setgroups), NAMED(capset), NAMED(unshare), NAMED(setns), NAMED(prctl),
    {"prctl: memory map", way_prctl_memory},
    NAMED(arch_prctl), NAMED(personality), NAMED(seccomp),
    {"seccomp: another filter", way_seccomp_filter},
    NAMED(landlock_create_ruleset), NAMED(rt_sigaction),
    NAMED(rt_sigprocmask), NAMED(rt_sigreturn), NAMED(sigaltstack), NAMED(set_robust_list), NAMED(rseq),
    {"mmap: executable", way_map_executable},
    {"mmap: writable and executable", way_map_rwx},
    {"mmap: the input, executable", way_map_input_executable},
    {"mmap: the input, writable", way_map_input_writable},
    {"mmap: the output, shared", way_map_output_shared},
    {"mmap: shared", way_map_shared},
    {"mmap: a stack", way_map_stack},
    {"mmap: in the place of another", way_map_over},
    {"mmap: locked", way_map_locked},
    {"mprotect: executable", way_protect_executable},
    {"mprotect: writable", way_protect_writable},
    {"madvise: merge pages", way_advise_merging},
    {"futex: priority inheritance", way_futex_inheritance},
    {"futex: requeue", way_futex_requeue},
    {"futex: between processes", way_futex_shared},
    NAMED(pkey_mprotect), NAMED(remap_file_pages), NAMED(mlockall), NAMED(mbind), NAMED(shmget), NAMED(msgget),
    NAMED(semget), NAMED(mq_open), NAMED(bpf), NAMED(perf_event_open), NAMED(keyctl), NAMED(add_key),
    NAMED(request_key), NAMED(init_module), NAMED(finit_module), NAMED(delete_module), NAMED(kexec_load), NAMED(reboot),
    NAMED(syslog), NAMED(acct), NAMED(iopl), NAMED(modify_ldt), NAMED(settimeofday), NAMED(clock_settime),
    NAMED(sethostname), NAMED(uname), NAMED(sysinfo), NAMED(getpid), NAMED(getrandom), NAMED(getrusage),
    NAMED(vhangup),
    {"call 9999", way_unknown},
    {"i386 getpid", way_i386_getpid},
    {"i386 open", way_i386_open},
    {"i386 fork", way_i386_fork},
    {"i386 socketcall", way_i386_socketcall},
    {"i386 exit", way_i386_exit},
    {"x32 getpid", way_x32_getpid},
    {"x32 close", way_x32_close},
    {"x32 call 520", way_x32_execve},
};

// Makes allowed calls with descriptors that are not allowed. Returns the descriptor that a call has changed, or 0.
static long write_to_others(const place_t *place) {
    for (int descriptor = 4; descriptor < 1024; descriptor++) {
        if (descriptor >= place->output && descriptor <= place->last_output) continue;
        if (write(descriptor, "x", 1) >= 0 || errno != EBADF) return descriptor;
        if (pwrite(descriptor, "x", 1, 0) >= 0 || errno != EBADF) return descriptor;
    }
    if (ftruncate(place->input, 0) >= 0 || errno != EINVAL) return place->input;
    // The standard streams lead to /dev/null, which has no size.
    for (int stream = 0; stream < 3; stream++)
        if (write(stream, "x", 1) != 1 || lseek(stream, 0, SEEK_END) != 0) return stream;
    return 0;
}

// Creates mappings with a protection until the kernel refuses a mapping of 1 MiB, and removes them again.
//
// Returns the size of the mappings in MiB, at most 16 TiB.
static long mappable(int protection) {
    static struct iovec taken[256];
    long mebibytes = 0;
    int count = 0;
    for (size_t size = 1UL << 36; size >= 1UL << 20; size >>= 1)
        while (count < 256) {
            void *start = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (start == MAP_FAILED) break;
            taken[count++] = (struct iovec){start, size};
            mebibytes += (long)(size >> 20);
        }
    while (count--) munmap(taken[count].iov_base, taken[count].iov_len);
    return mebibytes;
}

// Takes memory by allowed calls. The limits are 256 MiB of writable memory and 1 GiB of addresses. Returns the size or
// the number of the call that has exceeded a limit, or 0.
static long take_memory(const place_t *place) {
    (void)place;
    const size_t excess = 512UL << 20;
    long written = mappable(PROT_READ | PROT_WRITE);
    if (written > 256) return written;
    // Each page of the kernel's page tables covers 2 MiB of addresses, even if the addresses have no memory.
    long read = mappable(PROT_READ);
    if (read > 1024) return read;
    char *small = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mremap(small, 4096, excess, MREMAP_MAYMOVE) != MAP_FAILED) return SYS_mremap;
    munmap(small, 4096);
    uintptr_t end = (uintptr_t)syscall(SYS_brk, 0);
    return (uintptr_t)syscall(SYS_brk, end + excess) == end ? 0 : SYS_brk;
}

size_t agd_escape_count(void) { return sizeof ways / sizeof *ways; }
const char *agd_escape_name(size_t index) { return ways[index].name; }

int agd_escape(const char *name, const struct agd_escape_place *place, long *result) {
    loopback.sin_family = AF_INET;
    loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    loopback.sin_port = htons(place->port);
    if (!strcmp(name, "writes") || !strcmp(name, "memory")) {
        *result = *name == 'w' ? write_to_others(place) : take_memory(place);
        return 0;
    }
    for (size_t index = 0; index < agd_escape_count(); index++) {
        if (strcmp(name, ways[index].name)) continue;
        *result = ways[index].way(place);
        return 0;
    }
    return -1;
}

static volatile sig_atomic_t counted;
static void count(int signal) {
    (void)signal;
    counted++;
}
void agd_count_signals(void) {
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
    sigaction(SIGURG, &action, NULL);
}
int agd_counted_signals(void) { return counted; }

#define _GNU_SOURCE
#include "agd_sandbox.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// linux/landlock.h of Debian 12 has only the rights of version 2. The bits of later versions come from newer kernels.
struct ruleset {
    uint64_t file_rights;
    uint64_t network_rights;
    uint64_t scopes;
};

static const struct {
    size_t size;
    struct ruleset rights;
} landlock_versions[] = {
    {8, {0x1FFF, 0, 0}},     // Linux 5.13: execute, write, read, and change names in directories.
    {8, {0x3FFF, 0, 0}},     // Linux 5.19: link and move between directories.
    {8, {0x7FFF, 0, 0}},     // Linux 6.2: truncate.
    {16, {0x7FFF, 0x3, 0}},  // Linux 6.7: bind and connect with TCP.
    {16, {0xFFFF, 0x3, 0}},  // Linux 6.10: call ioctl on devices.
    {24, {0xFFFF, 0x3, 0x3}} // Linux 6.12: use abstract unix sockets of, and send signals to, processes outside.
};

int agd_forbid_files_and_ports(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    int known = sizeof landlock_versions / sizeof *landlock_versions;
    int used = version < known ? version : known;
    int rules = (int)syscall(
        SYS_landlock_create_ruleset, &landlock_versions[used - 1].rights, landlock_versions[used - 1].size, 0);
    if (rules < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    int error = errno;
    close(rules);
    errno = error;
    return result ? -1 : version;
}

int agd_become_user(uid_t user, gid_t group) {
    // The functions of the C library change all threads. In the kernel, each thread has its own credentials.
    if (setgroups(0, NULL) || setresgid(group, group, group)) return -1;
    return setresuid(user, user, user);
}

void agd_empty_bounding_set(void) {
    // The kernel refuses numbers that it does not know. A process without CAP_SETPCAP cannot drop any capability.
    for (int number = 0; number < 64; number++) prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
}

int agd_drop_capabilities(void) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

int agd_has_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets)) return -1;
    return (sets[0].effective | sets[0].permitted | sets[0].inheritable | sets[1].effective | sets[1].permitted |
            sets[1].inheritable) != 0;
}

// The value of SYS_SECCOMP in asm-generic/siginfo.h. The headers of the C library do not have it.
static const int from_filter = 1;
static int violation_descriptor;
static int violation_status;
static uint8_t violation_mark;

// Reports a forbidden call and ends the process. The process can be in any state, so this function makes only calls
// that the filter allows, and takes no locks.
static void report_violation(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    // A process can also send this signal. Then there is no forbidden call to report.
    if (info->si_code != from_filter) _exit(violation_status);
    uint8_t report[9] = {violation_mark};
    uint32_t architecture = info->si_arch;
    int32_t call = info->si_syscall;
    memcpy(report + 1, &architecture, sizeof architecture);
    memcpy(report + 5, &call, sizeof call);
    ssize_t written = write(violation_descriptor, report, sizeof report);
    (void)written;
    _exit(violation_status);
}

int agd_report_violations(int descriptor, uint8_t mark, int status) {
    violation_descriptor = descriptor;
    violation_mark = mark;
    violation_status = status;
    struct sigaction action = {.sa_sigaction = report_violation, .sa_flags = SA_SIGINFO};
    sigfillset(&action.sa_mask);
    return sigaction(SIGSYS, &action, NULL);
}

// What a process takes from itself for good: calls that the C library has no function for, or that have unions and
// variable arguments.
#ifndef AGD_SANDBOX_H
#define AGD_SANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Landlock with every right that this kernel knows, and no exception. Needs no new privileges (PR_SET_NO_NEW_PRIVS).
// Returns the version of the kernel's interface, at least 1; -1 with ENOSYS or EOPNOTSUPP when the kernel has none.
int agd_forbid_files_and_ports(void);

// Changes all user and group identifiers and gives up the supplementary groups. Clears the parent-death signal.
int agd_become_user(uid_t user, gid_t group);

// Empties the bounding set of the calling thread, as far as it may. It counts at an execve only.
void agd_empty_bounding_set(void);

// Empties the sets of capabilities of the calling thread.
int agd_drop_capabilities(void);
// 1 when a set of capabilities of the calling thread has one, 0 when all are empty.
int agd_has_capabilities(void);

// From now on a system call that a filter traps (SIGSYS) is reported and ends the process with `status`: one write of
// `mark`, the architecture (AUDIT_ARCH_*) and the number of the call, in 1 + 4 + 4 bytes of the machine's byte order.
int agd_report_violations(int descriptor, uint8_t mark, int status);

#endif

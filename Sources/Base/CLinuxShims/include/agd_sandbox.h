// The restrictions that a process applies to itself and cannot undo. The C library has no function for these calls, or
// they have unions and variable arguments.
#ifndef AGD_SANDBOX_H
#define AGD_SANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Applies Landlock with all rights that this kernel knows, and without any exception. It requires PR_SET_NO_NEW_PRIVS.
// Returns the version of the kernel's interface, at least 1; -1 with ENOSYS or EOPNOTSUPP if the kernel has none.
int agd_forbid_files_and_ports(void);

// Changes all user and group identifiers and gives up the supplementary groups. This clears the parent-death signal.
int agd_become_user(uid_t user, gid_t group);

// Empties the bounding set of the calling thread as far as it is permitted. The set matters only at an execve.
void agd_empty_bounding_set(void);

// Empties the capability sets of the calling thread.
int agd_drop_capabilities(void);
// Returns 1 if a capability set of the calling thread has a capability, 0 if all are empty.
int agd_has_capabilities(void);

// From now on, a system call that a filter traps (SIGSYS) is reported and ends the process with `status`. The report is
// one write of 1 + 4 + 4 bytes: `mark`, the architecture (AUDIT_ARCH_*) and the number of the call, in the machine's
// byte order.
int agd_report_violations(int descriptor, uint8_t mark, int status);

#endif

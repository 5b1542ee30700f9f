// Runs a program that is killed when the test process ends, however that ends.
//
// usage: end-with-parent PARENT OUTPUT PROGRAM [ARGUMENT …]
//   PARENT: the process identifier of the test process, which must be the parent of this process.
//   OUTPUT: a file for standard output and standard error; "-" leaves both as they are.
//
// This process becomes PROGRAM, so identifier, signals, exit status and descriptors are those of PROGRAM. Before that,
// it starts a guard in a session of its own, which waits for the end of either process. The guard is no child of these
// two processes, and keeps only the two descriptors that it waits for. The parent-death signal of Linux is no
// substitute: it follows the thread that started the child, and Dispatch ends its threads.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The exit status if PROGRAM cannot be started. `timeout` and `env` use the same number.
enum { failed = 125 };

static int pidfd(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static int fail(const char *what) {
    fprintf(stderr, "end-with-parent: %s: %s\n", what, strerror(errno));
    return failed;
}

// Waits until the parent or the program ends. If the parent ends first, kills the program and its process group.
static void guard(int parent, int program, pid_t identifier) {
    setsid();
    int null = open("/dev/null", O_RDWR);
    if (null < 0) _exit(failed);
    for (int stream = 0; stream <= 2; stream++) dup2(null, stream);
    // The two descriptors are moved to the numbers 3 and 4, and all higher descriptors are closed. Both are first
    // copied to numbers from 10 on, so that dup2 does not overwrite one of them.
    int copies[2] = {fcntl(parent, F_DUPFD, 10), fcntl(program, F_DUPFD, 10)};
    if (dup2(copies[0], 3) < 0 || dup2(copies[1], 4) < 0) _exit(failed);
    syscall(SYS_close_range, 5u, ~0u, 0);
    struct pollfd ends[2] = {{.fd = 3, .events = POLLIN}, {.fd = 4, .events = POLLIN}};
    while (poll(ends, 2, -1) < 0 && errno == EINTR) {}
    if (ends[1].revents == 0) {
        if (getpgid(identifier) == identifier) kill(-identifier, SIGKILL);
        syscall(SYS_pidfd_send_signal, 4, SIGKILL, NULL, 0);
    }
    _exit(0);
}

// Starts the guard as a grandchild, so that PROGRAM does not get an unexpected child.
static int start_guard(int parent, int program) {
    pid_t identifier = getpid();
    pid_t between = fork();
    if (between < 0) return -1;
    if (between == 0) {
        pid_t guarding = fork();
        if (guarding == 0) guard(parent, program, identifier);
        _exit(guarding < 0 ? failed : 0);
    }
    int status;
    while (waitpid(between, &status, 0) < 0)
        if (errno != EINTR) return -1;
    errno = EAGAIN;
    return status == 0 ? 0 : -1;
}

int main(int count, char *arguments[]) {
    if (count < 4) {
        fprintf(stderr, "usage: end-with-parent PARENT OUTPUT PROGRAM [ARGUMENT ...]\n");
        return failed;
    }
    pid_t expected = (pid_t)atoi(arguments[1]);
    int parent = pidfd(expected);
    if (parent < 0) return fail("the test process");
    // If the test process has ended, the kernel may have reused its identifier, but not for the parent of this process.
    if (getppid() != expected) {
        errno = ESRCH;
        return fail("the test process");
    }
    int program = pidfd(getpid());
    if (program < 0) return fail("pidfd_open");
    if (start_guard(parent, program)) return fail("the guard");
    if (strcmp(arguments[2], "-")) {
        int output = open(arguments[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (output < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) return fail(arguments[2]);
    }
    execv(arguments[3], &arguments[3]);
    return fail(arguments[3]);
}

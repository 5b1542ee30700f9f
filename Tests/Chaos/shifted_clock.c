// A library for LD_PRELOAD that adds an offset to the real-time clock of a process. The offset is a number of seconds
// in the file that SHIFTED_CLOCK names. The file is mapped, so a change has effect at once. The monotonic clocks stay
// as they are, as they do when the clock of a machine is set.
//
// The kernel does not know the offset. The times of files stay real, and the end of a wait on the real-time clock is
// converted when the wait begins.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t none;
static _Atomic int64_t *offset = &none;
static int (*real_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void map_offset(void) {
    const char *path = getenv("SHIFTED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) offset = page;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!real_gettime) *(void **)&real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real_gettime(clock, time);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI))
        time->tv_sec += *offset;
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

// An end that is no time since the start of the machine is a time of the real-time clock.
static struct timespec kernel_time(const struct timespec *end) {
    struct timespec real = *end;
    if (real.tv_sec > 1000000000) real.tv_sec -= *offset;
    return real;
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict end) {
    static int (*call)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    // dlsym returns the oldest version of this function in earlier C libraries.
    if (!call) *(void **)&call = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    if (!call) *(void **)&call = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    struct timespec real = kernel_time(end);
    return call(condition, mutex, &real);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
    static int (*call)(sem_t *, const struct timespec *);
    if (!call) *(void **)&call = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec real = kernel_time(end);
    return call(semaphore, &real);
}

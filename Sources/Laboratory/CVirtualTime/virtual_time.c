// This file replaces two functions of the C library in the programs that link it. libcurl, c-ares and the runtime of
// Swift read their clocks with clock_gettime as well, so all of them agree on the time after an advance
// (docs/decisions/0022-virtual-time.md).
#define _GNU_SOURCE
#include "virtual_time.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t advance;

void agd_advance_clocks(int64_t nanoseconds) { atomic_fetch_add(&advance, nanoseconds); }

int64_t agd_clock_advance(void) { return atomic_load(&advance); }

int agd_thread_number(void) { return gettid(); }

static void add(struct timespec *time, int64_t nanoseconds) {
    int64_t sum = time->tv_nsec + nanoseconds;
    time->tv_sec += sum / 1000000000;
    time->tv_nsec = sum % 1000000000;
    if (time->tv_nsec < 0) {
        time->tv_nsec += 1000000000;
        time->tv_sec--;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*_Atomic original)(clockid_t, struct timespec *);
    int (*call)(clockid_t, struct timespec *) = atomic_load_explicit(&original, memory_order_relaxed);
    if (!call) {
        *(void **)&call = dlsym(RTLD_NEXT, "clock_gettime");
        atomic_store_explicit(&original, call, memory_order_relaxed);
    }
    int result = call(clock, time);
    if (result) return result;
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
        add(time, agd_clock_advance());
    }
    return result;
}

// The timers of libdispatch are set to an instant of the advanced clock, but the kernel's clock is not advanced.
int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
    static int (*_Atomic original)(int, int, const struct itimerspec *, struct itimerspec *);
    int (*call)(int, int, const struct itimerspec *, struct itimerspec *) =
        atomic_load_explicit(&original, memory_order_relaxed);
    if (!call) {
        *(void **)&call = dlsym(RTLD_NEXT, "timerfd_settime");
        atomic_store_explicit(&original, call, memory_order_relaxed);
    }
    if (!(flags & TFD_TIMER_ABSTIME) || (!value->it_value.tv_sec && !value->it_value.tv_nsec))
        return call(timer, flags, value, old);
    struct itimerspec real = *value;
    add(&real.it_value, -agd_clock_advance());
    // A time of zero would stop the timer.
    if (real.it_value.tv_sec < 0 || (!real.it_value.tv_sec && !real.it_value.tv_nsec))
        real.it_value = (struct timespec){.tv_nsec = 1};
    return call(timer, flags, &real, old);
}

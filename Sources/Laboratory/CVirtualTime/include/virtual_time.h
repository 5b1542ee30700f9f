// The clocks of the laboratory's process, which can be advanced without waiting.
#ifndef AGD_VIRTUAL_TIME_H
#define AGD_VIRTUAL_TIME_H

#include <stdint.h>

// Advances all clocks of the process that show a time, by nanoseconds. Clocks of processor time stay as they are.
void agd_advance_clocks(int64_t nanoseconds);

// Returns the sum of all advances, in nanoseconds.
int64_t agd_clock_advance(void);

// Returns the number of the calling thread, as in /proc. gettid needs _GNU_SOURCE.
int agd_thread_number(void);

#endif

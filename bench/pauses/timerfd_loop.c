/* Wakes up every millisecond by a timer of the kernel, and tells how late after the first second.
   Usage: timerfd_loop <SCHED_FIFO priority, 0 for none> <seconds> */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 1000000LL
#define SECOND_NS 1000000000LL
/* One for each microsecond; what is later still counts as this late in the quantiles. */
#define BUCKETS 1000000

static uint32_t buckets[BUCKETS];

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static long quantile_us(double share, long count) {
  long rank = (long)(share * count + 0.999999), seen = 0;
  for (long bucket = 0; bucket < BUCKETS; bucket++) {
    seen += buckets[bucket];
    if (seen >= rank) return bucket;
  }
  return BUCKETS;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  struct sched_param param = {.sched_priority = atoi(arguments[1])};
  long long periods = atoll(arguments[2]) * SECOND_NS / PERIOD_NS;
  if (param.sched_priority > 0 && sched_setscheduler(0, SCHED_FIFO, &param) != 0) return 1;
  mlockall(MCL_CURRENT | MCL_FUTURE);

  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  long long start = now_ns() + 10 * PERIOD_NS, next = 0;
  long missed = 0, samples = 0, worst_us = 0;
  while (next < periods) {
    long long due = start + next * PERIOD_NS;
    struct itimerspec at = {.it_value = {due / SECOND_NS, due % SECOND_NS}};
    uint64_t expirations;
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) != 0) return 1;
    if (read(timer, &expirations, sizeof expirations) != sizeof expirations) return 1;
    long long late_ns = now_ns() - due;
    long late_us = late_ns / 1000;
    long skipped = late_ns / PERIOD_NS;
    if (due - start >= SECOND_NS) {
      buckets[late_us < BUCKETS ? late_us : BUCKETS - 1]++;
      samples++;
      missed += skipped;
      if (late_us > worst_us) worst_us = late_us;
    }
    next += skipped + 1;
  }
  printf("{\"count\":%ld,\"missed\":%ld,\"p50\":%ld,\"p99\":%ld,\"p999\":%ld,\"worst\":%ld}\n", samples,
         missed, quantile_us(0.5, samples), quantile_us(0.99, samples), quantile_us(0.999, samples),
         worst_us);
  return 0;
}

/* Wakes every millisecond by a kernel timer on one processor. Prints its lateness after the first second, and the
   Unix times in microseconds of the worst delays.
   Usage: timerfd_loop <processor> <SCHED_FIFO priority, 0 for none> <seconds> */
#define _GNU_SOURCE
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

#define LATE_US 150
#define MOST_LATE 100000

static uint32_t buckets[BUCKETS];
static struct { double from_us, to_us; } late[MOST_LATE];

static long long now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
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
  if (count != 4) return 2;
  cpu_set_t processor;
  CPU_ZERO(&processor);
  CPU_SET(atoi(arguments[1]), &processor);
  if (sched_setaffinity(0, sizeof processor, &processor) != 0) return 1;
  struct sched_param param = {.sched_priority = atoi(arguments[2])};
  long long periods = atoll(arguments[3]) * SECOND_NS / PERIOD_NS;
  if (param.sched_priority > 0 && sched_setscheduler(0, SCHED_FIFO, &param) != 0) return 1;
  mlockall(MCL_CURRENT | MCL_FUTURE);

  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  long long start = now_ns(CLOCK_MONOTONIC) + 10 * PERIOD_NS, next = 0;
  long missed = 0, samples = 0, worst_us = 0, lates = 0;
  while (next < periods) {
    long long due = start + next * PERIOD_NS;
    struct itimerspec at = {.it_value = {due / SECOND_NS, due % SECOND_NS}};
    uint64_t expirations;
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL) != 0) return 1;
    if (read(timer, &expirations, sizeof expirations) != sizeof expirations) return 1;
    long long late_ns = now_ns(CLOCK_MONOTONIC) - due;
    long late_us = late_ns / 1000;
    long skipped = late_ns / PERIOD_NS;
    if (due - start >= SECOND_NS) {
      buckets[late_us < BUCKETS ? late_us : BUCKETS - 1]++;
      samples++;
      missed += skipped;
      if (late_us > worst_us) worst_us = late_us;
    }
    if (late_us >= LATE_US && lates < MOST_LATE) {
      late[lates].to_us = now_ns(CLOCK_REALTIME) / 1e3;
      late[lates].from_us = late[lates].to_us - late_us;
      lates++;
    }
    next += skipped + 1;
  }
  printf("{\"count\":%ld,\"missed\":%ld,\"p50\":%ld,\"p99\":%ld,\"p999\":%ld,\"worst\":%ld,\"late\":[", samples,
         missed, quantile_us(0.5, samples), quantile_us(0.99, samples), quantile_us(0.999, samples),
         worst_us);
  for (long i = 0; i < lates; i++)
    printf("%s[%.0f,%.0f]", i ? "," : "", late[i].from_us, late[i].to_us);
  printf("]}\n");
  return 0;
}

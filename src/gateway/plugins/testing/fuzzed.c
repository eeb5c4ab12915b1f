/*
 * A processor that randomly does what a processor may do, and what it must not: any return code,
 * any output values, any items, and sometimes it is slow. The context contains the seed, {"seed":
 * 1}. Its staged frames show whether a call was accepted as a whole: all outputs of an accepted
 * call are one number n, and its frames contain n, their index in the call, and their number.
 */
#define _POSIX_C_SOURCE 199309L
#include "busbar_plugin.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct fuzzed {
  uint32_t seed;
  uint32_t tasks;
  uint32_t outputs;
  uint32_t lengths[BUSBAR_MAX_ITEMS];
  uint8_t number;
} fuzzed;

static uint32_t next(fuzzed *self) {
  self->seed ^= self->seed << 13;
  self->seed ^= self->seed >> 17;
  self->seed ^= self->seed << 5;
  return self->seed;
}

static int32_t create(const busbar_setup *setup, void **instance) {
  const char *at = strchr(setup->context, ':');
  fuzzed *made = (fuzzed *)calloc(1, sizeof *made);
  uint32_t task;
  if (made == NULL || at == NULL || setup->tasks > BUSBAR_MAX_ITEMS) return BUSBAR_FAILED;
  made->seed = (uint32_t)strtoul(at + 1, NULL, 10);
  made->tasks = setup->tasks;
  made->outputs = setup->outputs;
  for (task = 0; task < setup->tasks; task++) made->lengths[task] = setup->task_lengths[task];
  *instance = made;
  return BUSBAR_OK;
}

static void stage(fuzzed *self, busbar_round *round, uint32_t count) {
  uint32_t index;
  for (index = 0; index < count; index++) {
    busbar_item *item = &round->items[index];
    item->task = next(self) % self->tasks;
    item->length = self->lengths[item->task];
    memset(item->data, 0xEE, sizeof item->data);
    item->data[0] = self->number;
    item->data[1] = (uint8_t)index;
    item->data[2] = (uint8_t)count;
  }
  round->item_count = count;
}

static void scribble(fuzzed *self, void *at, size_t size) {
  uint8_t *bytes = (uint8_t *)at;
  size_t index;
  for (index = 0; index < size; index++) bytes[index] = (uint8_t)next(self);
}

static int32_t process(void *instance, busbar_round *round, const busbar_value *inputs, busbar_value *outputs) {
  fuzzed *self = (fuzzed *)instance;
  struct timespec little = {0, 200000};
  uint32_t room = round->item_room;
  uint32_t index;
  (void)inputs;
  self->number += 1;
  for (index = 0; index < self->outputs; index++) {
    outputs[index].as.u = self->number;
    outputs[index].valid = 1;
  }
  stage(self, round, room == 0 ? 0 : next(self) % (room + 1));
  if (next(self) % 16 == 0) nanosleep(&little, NULL);
  switch (next(self) % 8) {
    case 0: /* Everything is staged, and an error code is returned. */
      return (int32_t)(next(self) | 1u);
    case 1: /* One too many. */
      if (room < BUSBAR_MAX_ITEMS) stage(self, round, room + 1);
      else round->item_count = next(self) | 0x80u;
      return BUSBAR_OK;
    case 2: /* The last one is for no task. */
      stage(self, round, room == 0 ? 1 : room);
      round->items[round->item_count - 1].task = self->tasks + next(self) % 3;
      return BUSBAR_OK;
    case 3: /* The last one has another length. */
      stage(self, round, room == 0 ? 1 : room);
      round->items[round->item_count - 1].length += 1 + next(self) % 100;
      return BUSBAR_OK;
    case 4: /* The last output has another type. */
      outputs[self->outputs - 1].type = (uint8_t)(100 + next(self) % 100);
      return BUSBAR_OK;
    case 5: /* Writes everything it may write, and returns an error code. */
      scribble(self, round, sizeof *round);
      scribble(self, outputs, self->outputs * sizeof *outputs);
      return BUSBAR_FAILED;
    default:
      return BUSBAR_OK;
  }
}

static const busbar_plugin plugin = {
    BUSBAR_PLUGIN_ABI, sizeof(busbar_plugin), BUSBAR_PROCESSOR,
    BUSBAR_ANY, BUSBAR_ANY, 0, 0, 0, NULL, NULL,
    create, free, NULL,
    NULL, NULL, NULL, NULL, NULL, process,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *fuzzed_processor(void);

uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

const busbar_plugin *fuzzed_processor(void) { return &plugin; }

/*
 * Calls a plugin as a host would, in buffers that are exactly as long as the interface says, so that a sanitizer sees
 * what is read or written beyond. It is linked with the plugin:
 *
 *     cc -fsanitize=address,undefined -DENTRY=low_pass -I<sdk> plugin_harness.c low_pass.c && ./a.out 1 '{}'
 */
#include "busbar_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *ENTRY(void);

enum { rounds = 2000, frame_length = 3 };

static uint32_t seed;

static uint32_t next(void) {
  seed ^= seed << 13;
  seed ^= seed >> 17;
  seed ^= seed << 5;
  return seed;
}

/* Exactly this many bytes on the heap. */
static void *bytes_of(size_t size) {
  void *made = calloc(1, size == 0 ? 1 : size);
  if (made == NULL) exit(2);
  return made;
}

static void scramble(uint8_t *bytes, size_t size) {
  size_t index;
  for (index = 0; index < size; index++) bytes[index] = (uint8_t)next();
}

static void put(busbar_value *value, uint8_t type) {
  memset(value, 0, sizeof *value);
  value->type = type;
  value->valid = (uint8_t)(next() % 4 != 0);
  value->flags = (uint8_t)(next() % 4);
  if (type == BUSBAR_FLOAT64) value->as.f = ((double)next() - 2147483648.0) / (1.0 + next() % 1000);
  else if (type == BUSBAR_BOOL) value->as.u = next() % 2;
  else value->as.u = next() % 3 == 0 ? ((uint64_t)next() << 32) | next() : next() % 300;
}

static uint8_t type_of(const uint8_t *types, uint32_t index) {
  return types == NULL || types[index] == BUSBAR_ANY_TYPE ? (uint8_t)(1 + next() % 5) : types[index];
}

static void call(const busbar_plugin *plugin, void *instance) {
  busbar_value *inputs = bytes_of(plugin->inputs * sizeof *inputs);
  busbar_value *outputs = bytes_of(plugin->outputs * sizeof *outputs);
  busbar_round *round = bytes_of(sizeof *round);
  uint8_t *bits = bytes_of((plugin->bit_length + 7) / 8);
  uint8_t *state = bytes_of(plugin->state_size);
  uint8_t *frame = bytes_of(frame_length);
  uint32_t index;
  for (index = 0; index < plugin->inputs; index++) {
    put(&inputs[index], type_of(plugin->input_types, index));
    if (plugin->kind == BUSBAR_TRANSFORMATION) inputs[index].valid = 1;
  }
  for (index = 0; index < plugin->outputs; index++) put(&outputs[index], type_of(plugin->output_types, index));
  scramble(bits, (plugin->bit_length + 7) / 8);
  scramble(frame, frame_length);
  if (plugin->kind == BUSBAR_TRANSFORMATION) plugin->run(instance, inputs, outputs);
  if (plugin->kind == BUSBAR_CODEC) {
    busbar_value *value = bytes_of(sizeof *value);
    put(value, (uint8_t)(1 + next() % 5));
    plugin->decode(instance, bits, value);
    put(value, (uint8_t)(1 + next() % 5));
    plugin->encode(instance, value, bits);
    free(value);
  }
  if (plugin->kind == BUSBAR_E2E) {
    if (plugin->protect(instance, state, frame, frame_length) != BUSBAR_OK) exit(3);
    memset(state, 0, plugin->state_size);
    if (plugin->check(instance, state, frame, frame_length) != BUSBAR_OK) exit(4);
    scramble(frame, frame_length);
    plugin->check(instance, state, frame, frame_length);
  }
  if (plugin->kind == BUSBAR_PROCESSOR) {
    round->item_room = next() % (BUSBAR_MAX_ITEMS + 1);
    if (plugin->process(instance, round, inputs, outputs) != BUSBAR_OK) exit(5);
    if (round->item_count > round->item_room) exit(6);
  }
  free(inputs);
  free(outputs);
  free(round);
  free(bits);
  free(state);
  free(frame);
}

int main(int count, char **words) {
  const busbar_plugin *plugin = ENTRY();
  uint32_t lengths[] = {frame_length};
  char *message = bytes_of(64);
  busbar_setup *setup = bytes_of(sizeof *setup);
  void *instance = NULL;
  int turn;
  if (count != 3 || busbar_plugin_abi() != BUSBAR_PLUGIN_ABI) return 1;
  seed = (uint32_t)strtoul(words[1], NULL, 10);
  setup->size = sizeof *setup;
  setup->context = words[2];
  setup->context_length = (uint32_t)strlen(words[2]);
  setup->inputs = plugin->inputs;
  setup->outputs = plugin->outputs;
  setup->input_types = plugin->input_types;
  setup->output_types = plugin->output_types;
  setup->task_lengths = lengths;
  setup->tasks = 1;
  setup->bit_length = plugin->bit_length;
  setup->frame_length = frame_length;
  setup->message_size = 64;
  setup->message = message;
  if (plugin->create(setup, &instance) != BUSBAR_OK) {
    printf("refused: %s\n", message);
  } else {
    for (turn = 0; turn < rounds; turn++) {
      if (turn % 100 == 0 && plugin->reset != NULL) plugin->reset(instance);
      call(plugin, instance);
    }
    if (plugin->destroy != NULL) plugin->destroy(instance);
    printf("done\n");
  }
  free(setup);
  free(message);
  return 0;
}

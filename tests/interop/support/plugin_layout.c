/*
 * Prints the offsets of the interface's struct members, as this machine's compiler lays them out.
 */
#include "busbar_plugin.h"

#include <stdio.h>

#define AT(type, member) printf("%s.%s %u\n", #type, #member, (unsigned)offsetof(busbar_##type, member))
#define SIZE(type) printf("%s %u\n", #type, (unsigned)sizeof(busbar_##type))

int main(void) {
  SIZE(value);
  AT(value, type);
  AT(value, valid);
  AT(value, flags);
  SIZE(item);
  AT(item, task);
  AT(item, length);
  AT(item, data);
  SIZE(round);
  AT(round, now_us);
  AT(round, item_room);
  AT(round, item_count);
  AT(round, items);
  SIZE(setup);
  AT(setup, context_length);
  AT(setup, context);
  AT(setup, inputs);
  AT(setup, outputs);
  AT(setup, input_types);
  AT(setup, output_types);
  AT(setup, task_lengths);
  AT(setup, tasks);
  AT(setup, bit_length);
  AT(setup, frame_length);
  AT(setup, message_size);
  AT(setup, message);
  SIZE(plugin);
  return 0;
}

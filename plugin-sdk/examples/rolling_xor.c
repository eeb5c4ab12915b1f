/*
 * E2E protection as vehicle manufacturers define it. The low nibble of the last byte is an alive counter, the high nibble
 * the XOR of all nibbles of frame and key. The context sets the key: {"key": 90}.
 *
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden -I.. -o rolling_xor.so rolling_xor.c
 */
#include "busbar_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
  uint8_t key;
} settings;

/* State per message, stored by the host. Starts as zeros. */
typedef struct sequence {
  uint8_t counter;
  uint8_t has_seen;
} sequence;

static uint8_t nibbles(uint8_t byte) { return (uint8_t)((byte >> 4) ^ (byte & 0x0F)); }

static uint8_t checksum(const settings *self, const uint8_t *bytes, uint32_t length, uint8_t counter) {
  uint8_t sum = (uint8_t)(nibbles(self->key) ^ counter);
  uint32_t index;
  for (index = 0; index + 1 < length; index++) sum ^= nibbles(bytes[index]);
  return sum;
}

static int32_t create(const busbar_setup *setup, void **instance) {
  settings *made;
  const char *at = strstr(setup->context, "\"key\"");
  long key;
  at = at == NULL ? NULL : strchr(at, ':');
  key = at == NULL ? -1 : strtol(at + 1, NULL, 10);
  if (key < 0 || key > 255) {
    snprintf(setup->message, setup->message_size, "key must be a number from 0 to 255");
    return BUSBAR_FAILED;
  }
  made = (settings *)malloc(sizeof *made);
  if (made == NULL) return BUSBAR_FAILED;
  made->key = (uint8_t)key;
  *instance = made;
  return BUSBAR_OK;
}

static int32_t protect(void *instance, uint8_t *state, uint8_t *bytes, uint32_t length) {
  sequence *own = (sequence *)(void *)state;
  uint8_t counter = own->counter;
  bytes[length - 1] = (uint8_t)((checksum((settings *)instance, bytes, length, counter) << 4) | counter);
  own->counter = (uint8_t)((counter + 1) & 0x0F);
  return BUSBAR_OK;
}

static int32_t check(void *instance, uint8_t *state, const uint8_t *bytes, uint32_t length) {
  sequence *own = (sequence *)(void *)state;
  uint8_t counter = bytes[length - 1] & 0x0F;
  uint8_t steps = (uint8_t)((counter - own->counter) & 0x0F);
  int is_first = !own->has_seen;
  if (checksum((settings *)instance, bytes, length, counter) != bytes[length - 1] >> 4) return BUSBAR_FAILED;
  own->counter = counter;
  own->has_seen = 1;
  if (is_first || steps == 1) return BUSBAR_OK;
  if (steps == 0) return BUSBAR_REPEATED;
  return steps <= 3 ? BUSBAR_SOME_LOST : BUSBAR_WRONG_SEQUENCE;
}

static const busbar_plugin plugin = {
    BUSBAR_PLUGIN_ABI, sizeof(busbar_plugin), BUSBAR_E2E,
    0, 0, 0, sizeof(sequence), 0, NULL, NULL,
    create, free, NULL,
    NULL, NULL, NULL, protect, check, NULL,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *rolling_xor(void);

uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

const busbar_plugin *rolling_xor(void) { return &plugin; }

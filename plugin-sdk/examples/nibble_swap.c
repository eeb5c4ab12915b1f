/*
 * Codec for a byte with swapped nibbles: 0x3A is 0xA3. Raw value 0xFF means "not available".
 *
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden -I.. -o nibble_swap.so nibble_swap.c
 */
#include "busbar_plugin.h"

static uint8_t swapped(uint8_t byte) { return (uint8_t)((byte << 4) | (byte >> 4)); }

static int32_t create(const busbar_setup *setup, void **instance) {
  (void)setup;
  *instance = NULL;
  return BUSBAR_OK;
}

static int32_t decode(void *instance, const uint8_t *bits, busbar_value *value) {
  uint8_t byte = swapped(bits[0]);
  (void)instance;
  if (byte == 0xFF) return BUSBAR_NOT_AVAILABLE;
  if (value->type == BUSBAR_FLOAT64) value->as.f = byte;
  else value->as.u = byte; /* Small and positive: same bits in all integer types. */
  return BUSBAR_OK;
}

static int32_t encode(void *instance, const busbar_value *value, uint8_t *bits) {
  (void)instance;
  if (value->type == BUSBAR_FLOAT64) {
    if (!(value->as.f >= 0.0 && value->as.f < 255.0) || value->as.f != (double)(uint8_t)value->as.f) {
      return BUSBAR_FAILED;
    }
    bits[0] = swapped((uint8_t)value->as.f);
    return BUSBAR_OK;
  }
  if (value->as.u >= 0xFF) return BUSBAR_FAILED; /* Negative values are large when unsigned. */
  bits[0] = swapped((uint8_t)value->as.u);
  return BUSBAR_OK;
}

static const busbar_plugin plugin = {
    BUSBAR_PLUGIN_ABI, sizeof(busbar_plugin), BUSBAR_CODEC,
    0, 0, 8, 0, 0, NULL, NULL,
    create, NULL, NULL,
    NULL, decode, encode, NULL, NULL, NULL,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *nibble_swap(void);

uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

const busbar_plugin *nibble_swap(void) { return &plugin; }

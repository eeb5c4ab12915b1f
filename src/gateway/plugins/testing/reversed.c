/*
 * A codec of 64 bits with reversed bytes: 0x0102030405060708 on the wire is 0x0807060504030201.
 */
#include "busbar_plugin.h"

static int32_t create(const busbar_setup *setup, void **instance) {
  *instance = NULL;
  return setup->bit_length == 64 ? BUSBAR_OK : BUSBAR_FAILED;
}

static int32_t decode(void *instance, const uint8_t *bits, busbar_value *value) {
  int index;
  (void)instance;
  value->as.u = 0;
  for (index = 0; index < 8; index++) value->as.u = (value->as.u << 8) | bits[index];
  return BUSBAR_OK;
}

static int32_t encode(void *instance, const busbar_value *value, uint8_t *bits) {
  int index;
  (void)instance;
  for (index = 0; index < 8; index++) bits[index] = (uint8_t)(value->as.u >> (56 - 8 * index));
  return BUSBAR_OK;
}

static const busbar_plugin plugin = {
    BUSBAR_PLUGIN_ABI, sizeof(busbar_plugin), BUSBAR_CODEC,
    0, 0, BUSBAR_ANY, 0, 0, NULL, NULL,
    create, NULL, NULL,
    NULL, decode, encode, NULL, NULL, NULL,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *reversed_bytes(void);

uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

const busbar_plugin *reversed_bytes(void) { return &plugin; }

/*
 * Key for UDS security access: each byte of the seed XOR 0xA5, plus the level. Name it in the bench file:
 *
 *     "seed_key": { "library": "plugins/seed_key.so", "entry": "example_key" }
 *
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden -I.. -o seed_key.so seed_key.c
 */
#include "busbar_plugin.h"

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

BUSBAR_EXPORT int32_t example_key(uint8_t level, const uint8_t *seed, uint32_t seed_length, uint8_t *key,
                                  uint32_t *key_length) {
  uint32_t i;
  if (seed_length == 0 || seed_length > *key_length) return BUSBAR_FAILED;
  for (i = 0; i < seed_length; i++) key[i] = (uint8_t)((seed[i] ^ 0xA5) + level);
  *key_length = seed_length;
  return BUSBAR_OK;
}

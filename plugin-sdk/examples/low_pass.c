/*
 * Transformation: first-order low-pass filter, y += alpha * (x - y). The context sets alpha: {"alpha": 0.2}. The first
 * value passes unchanged.
 *
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden -I.. -o low_pass.so low_pass.c
 */
#include "busbar_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct filter {
  double alpha;
  double y;
  int has_value;
} filter;

/* Number of a key in a flat JSON object, or the fallback if the key is missing. */
static double number_of(const char *context, const char *key, double fallback) {
  const char *at = strstr(context, key);
  if (at == NULL) return fallback;
  at = strchr(at + strlen(key), ':');
  return at == NULL ? fallback : strtod(at + 1, NULL);
}

static int32_t create(const busbar_setup *setup, void **instance) {
  filter *made;
  double alpha = number_of(setup->context, "\"alpha\"", 0.5);
  if (!(alpha > 0.0 && alpha <= 1.0)) {
    snprintf(setup->message, setup->message_size, "alpha must be above 0 and at most 1, not %g", alpha);
    return BUSBAR_FAILED;
  }
  made = (filter *)calloc(1, sizeof *made);
  if (made == NULL) return BUSBAR_FAILED;
  made->alpha = alpha;
  *instance = made;
  return BUSBAR_OK;
}

static void reset(void *instance) {
  filter *self = (filter *)instance;
  self->has_value = 0;
}

static int32_t run(void *instance, const busbar_value *inputs, busbar_value *outputs) {
  filter *self = (filter *)instance;
  double x = inputs[0].as.f;
  self->y = self->has_value ? self->y + self->alpha * (x - self->y) : x;
  self->has_value = 1;
  outputs[0].as.f = self->y;
  return BUSBAR_OK;
}

static const uint8_t types[] = {BUSBAR_FLOAT64};

static const busbar_plugin plugin = {
    BUSBAR_PLUGIN_ABI, sizeof(busbar_plugin), BUSBAR_TRANSFORMATION,
    1, 1, 0, 0, 0, types, types,
    create, free, reset,
    run, NULL, NULL, NULL, NULL, NULL,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *low_pass(void);

uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

const busbar_plugin *low_pass(void) { return &plugin; }

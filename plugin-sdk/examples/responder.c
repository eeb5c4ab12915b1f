/*
 * Processor: a simple diagnostic server. Inputs are service and parameter of a request, the output counts requests. The
 * task sends the response: service + 0x40, parameter, request number. An unknown service is answered with 0x7F.
 *
 *     cc -std=c99 -shared -fPIC -fvisibility=hidden -I.. -o responder.so responder.c
 */
#include "busbar_plugin.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct server {
  uint32_t answer_length;
  uint64_t requests;
} server;

static int32_t create(const busbar_setup *setup, void **instance) {
  server *made;
  if (setup->tasks != 1 || setup->task_lengths[0] < 3) {
    snprintf(setup->message, setup->message_size, "needs one task, with a message of 3 bytes or more");
    return BUSBAR_FAILED;
  }
  made = (server *)calloc(1, sizeof *made);
  if (made == NULL) return BUSBAR_FAILED;
  made->answer_length = setup->task_lengths[0];
  *instance = made;
  return BUSBAR_OK;
}

static void reset(void *instance) { ((server *)instance)->requests = 0; }

static int32_t process(void *instance, busbar_round *round, const busbar_value *inputs, busbar_value *outputs) {
  server *self = (server *)instance;
  const busbar_value *service = &inputs[0];
  busbar_item *answer = &round->items[0];
  outputs[0].as.u = self->requests;
  outputs[0].valid = 1;
  /* A repeated request counts too, so check that the input was received, not that it changed. */
  if (!service->valid || !(service->flags & BUSBAR_OBSERVED) || round->item_room == 0) return BUSBAR_OK;
  self->requests += 1;
  outputs[0].as.u = self->requests;
  answer->task = 0;
  answer->length = self->answer_length;
  answer->data[0] = (uint8_t)(service->as.u < 0x40 ? service->as.u + 0x40 : 0x7F);
  answer->data[1] = (uint8_t)(inputs[1].valid ? inputs[1].as.u : 0);
  answer->data[2] = (uint8_t)self->requests;
  round->item_count = 1;
  return BUSBAR_OK;
}

static const uint8_t input_types[] = {BUSBAR_UINT64, BUSBAR_UINT64};
static const uint8_t output_types[] = {BUSBAR_UINT64};

static const busbar_plugin plugin = {
    BUSBAR_PLUGIN_ABI, sizeof(busbar_plugin), BUSBAR_PROCESSOR,
    2, 1, 0, 0, 0, input_types, output_types,
    create, free, reset,
    NULL, NULL, NULL, NULL, NULL, process,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *responder(void);

uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }

const busbar_plugin *responder(void) { return &plugin; }

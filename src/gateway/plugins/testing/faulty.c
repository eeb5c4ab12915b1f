/*
 * A transformation with a fault chosen at compile time, such as -DCRASHES_ON_LOAD. IN_CREATE
 * contains statements for `create`, and ADDEND an expression that is added to the result.
 */
#define _GNU_SOURCE
#include "busbar_plugin.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef IN_CREATE
#define IN_CREATE
#endif

#ifdef ADDEND
extern uint64_t addend(void);
#else
#define ADDEND 0
#endif

#ifdef WRONG_ABI
#define ABI 2u
#else
#define ABI BUSBAR_PLUGIN_ABI
#endif

#ifdef CRASHES_ON_LOAD
static void __attribute__((constructor)) crash(void) { raise(SIGSEGV); }
#endif

#ifdef HANGS_ON_LOAD
static void __attribute__((constructor)) hang(void) {
  for (;;) pause();
}
#endif

static int32_t create(const busbar_setup *setup, void **instance) {
  *instance = NULL;
  IN_CREATE;
#ifdef REFUSES
  snprintf(setup->message, setup->message_size, "does not like this");
  return BUSBAR_FAILED;
#else
  (void)setup;
  return BUSBAR_OK;
#endif
}

/* Sleeps for some seconds, or until a file named at compile time exists. */
static void rest(void) {
#ifdef RETURNS_WITH
  while (access(RETURNS_WITH, F_OK) != 0) usleep(10000);
#else
  sleep(4);
#endif
}

/* The value selects the fault: 1 fails, 2 crashes, 3 sleeps, 4 never returns. */
static int32_t run(void *instance, const busbar_value *inputs, busbar_value *outputs) {
  (void)instance;
  if (inputs[0].as.u == 1) return BUSBAR_FAILED;
  if (inputs[0].as.u == 2) raise(SIGSEGV);
  if (inputs[0].as.u == 3) rest();
  if (inputs[0].as.u == 4) {
    for (;;) pause();
  }
  outputs[0].as.u = inputs[0].as.u + ADDEND;
  return BUSBAR_OK;
}

static const busbar_plugin plugin = {
    ABI, sizeof(busbar_plugin), BUSBAR_TRANSFORMATION,
    BUSBAR_ANY, 1, 0, 0, 0, NULL, NULL,
    create, NULL, NULL,
    run, NULL, NULL, NULL, NULL, NULL,
};

BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);
BUSBAR_EXPORT const busbar_plugin *faulty(void);

uint32_t busbar_plugin_abi(void) { return ABI; }

const busbar_plugin *faulty(void) { return &plugin; }

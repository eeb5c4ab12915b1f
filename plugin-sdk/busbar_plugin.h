/*
 * Busbar plugins, ABI 1: transformations, codecs, end-to-end protection and processors for gateway projects, as C
 * functions on flat buffers. Compiles as C99 and as C++.
 *
 * A library exports
 *
 *     BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);            returns BUSBAR_PLUGIN_ABI
 *     BUSBAR_EXPORT const busbar_plugin *<entry>(void);          one function for each plugin; the project names it
 *
 * and may hold any number of plugins. What an entry returns must stay as it is for as long as the library is loaded.
 *
 *                    first start                each start                while it runs             unload
 *     entry() ──► create(setup, &instance) ──► reset(instance) ──► run, decode, encode, … ──► destroy(instance)
 *
 * The host calls from one thread, never two functions of an instance at a time, and offers no functions to call back.
 * Pointers are good until the call returns, and point to copies: nothing that a plugin writes counts before it has
 * returned BUSBAR_OK, and then everything counts together. A function must not wait, and should take microseconds: all
 * deadlines of the bench wait for it, and a host cannot interrupt it. It must not throw, exit or jump out of a call.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BUSBAR_PLUGIN_H
#define BUSBAR_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BUSBAR_PLUGIN_ABI 1u

#if defined(__GNUC__) || defined(__clang__)
#define BUSBAR_EXPORT __attribute__((visibility("default")))
#else
#define BUSBAR_EXPORT
#endif

/* Kinds of plugins. */
#define BUSBAR_TRANSFORMATION 1u
#define BUSBAR_CODEC 2u
#define BUSBAR_E2E 3u
#define BUSBAR_PROCESSOR 4u

/* Types of signals. An enum is its number. */
#define BUSBAR_BOOL 1u
#define BUSBAR_INT64 2u
#define BUSBAR_UINT64 3u
#define BUSBAR_FLOAT64 4u
#define BUSBAR_ENUM 5u
/* In a list of types: any of them. */
#define BUSBAR_ANY_TYPE 0u

/* As a number of signals or bits: any. */
#define BUSBAR_ANY 0xFFFFFFFFu

/* What functions return. Everything but BUSBAR_OK is a failure, except as `decode` and `check` say. */
#define BUSBAR_OK 0
#define BUSBAR_FAILED 1
/* decode: the raw says that there is no valid value, or none at all. */
#define BUSBAR_INVALID 2
#define BUSBAR_NOT_AVAILABLE 3
/* check: the frame is good, although some before it are missing; or as AUTOSAR has them. */
#define BUSBAR_SOME_LOST 4
#define BUSBAR_REPEATED 5
#define BUSBAR_WRONG_SEQUENCE 6

/* Limits. */
#define BUSBAR_MAX_FRAME 64u
#define BUSBAR_MAX_ITEMS 16u
#define BUSBAR_MAX_STATE 256u

/* Since the last callback of the processor: another value or validity; observed again, perhaps as it was. */
#define BUSBAR_CHANGED 1u
#define BUSBAR_OBSERVED 2u

/* The value of a signal. `type` says which member of `as` is the value: u for bool (0, 1) and uint64, i for int64 and
 * enum, f for float64. A plugin leaves `type` of an output as it finds it. `valid` is 1, or 0 for a signal that has no
 * valid value: of the outputs, only those of processors may be 0. Any other number is a failure of the whole call. */
typedef struct busbar_value {
  uint8_t type;
  uint8_t valid;
  uint8_t flags; /* Inputs of processors: BUSBAR_CHANGED, BUSBAR_OBSERVED. */
  uint8_t reserved[5];
  union {
    int64_t i;
    uint64_t u;
    double f;
  } as;
} busbar_value;

/* What an instance of a plugin is made for. */
typedef struct busbar_setup {
  uint32_t size;           /* sizeof(busbar_setup) of the host: later ones have more members. */
  uint32_t context_length; /* Bytes of `context` without its end. */
  const char *context;     /* `context` of the project as JSON, "{}" if it has none; ends with a zero byte. */
  uint32_t inputs;         /* Transformations and processors: signals, and their types. */
  uint32_t outputs;
  const uint8_t *input_types;
  const uint8_t *output_types;
  const uint32_t *task_lengths; /* Processors: bytes of the messages of `send_tasks`. */
  uint32_t tasks;
  uint32_t bit_length;   /* Codecs: bits of the raw. */
  uint32_t frame_length; /* Protection: bytes that it is for. */
  uint32_t message_size; /* Bytes that `message` has room for, its end included. */
  char *message;         /* Why `create` fails, in words for the user: ends with a zero byte. */
} busbar_setup;

/* A frame for a task of the mode request. */
typedef struct busbar_item {
  uint32_t task;   /* Which of `send_tasks`, from 0. */
  uint32_t length; /* All bytes of its message. */
  uint8_t data[BUSBAR_MAX_FRAME];
} busbar_item;

/* One callback of a processor. */
typedef struct busbar_round {
  uint64_t now_us;     /* Monotonic: for differences only. */
  uint32_t item_room;  /* Items that can be taken, at most BUSBAR_MAX_ITEMS. One more, and nothing is taken. */
  uint32_t item_count; /* 0 at the call; a processor sets how many it has staged. */
  busbar_item items[BUSBAR_MAX_ITEMS];
} busbar_round;

typedef struct busbar_plugin {
  uint32_t abi;  /* BUSBAR_PLUGIN_ABI */
  uint32_t size; /* sizeof(busbar_plugin) */
  uint32_t kind;
  uint32_t inputs; /* Transformations and processors: how many signals, or BUSBAR_ANY. */
  uint32_t outputs;
  uint32_t bit_length;         /* Codecs: bits of the raw, or BUSBAR_ANY. */
  uint32_t state_size;         /* Protection: bytes of the state that the host keeps, at most BUSBAR_MAX_STATE. */
  uint32_t reserved;           /* 0 */
  const uint8_t *input_types;  /* As many types as there are signals; NULL if all of them may be any. */
  const uint8_t *output_types;

  /* Makes an instance of the plugin, which may be NULL if it has nothing to remember. Called in a process of its own
   * first, with the same setup, where it may crash. */
  int32_t (*create)(const busbar_setup *setup, void **instance);
  /* May be NULL. */
  void (*destroy)(void *instance);
  /* Forgets what it remembers of earlier values: the gateway is about to start. May be NULL. */
  void (*reset)(void *instance);

  /* A transformation: computes all outputs. Inputs are valid; outputs are, too, unless it fails. */
  int32_t (*run)(void *instance, const busbar_value *inputs, busbar_value *outputs);

  /* A codec. Bit 0 of the raw is the lowest one of the first byte; bits behind its last one are 0, and not looked at.
   * `decode` gives a value of the type that it finds, or says why there is none. */
  int32_t (*decode)(void *instance, const uint8_t *bits, busbar_value *value);
  int32_t (*encode)(void *instance, const busbar_value *value, uint8_t *bits);

  /* Protection. `state` is a copy of the host's: it begins with zeros when a project is loaded (protect) or started
   * (check), and is kept if the frame is sent, or was checked. `check` leaves the frame alone. */
  int32_t (*protect)(void *instance, uint8_t *state, uint8_t *bytes, uint32_t length);
  int32_t (*check)(void *instance, uint8_t *state, const uint8_t *bytes, uint32_t length);

  /* A processor. Outputs begin as the signals are; items, and how many they are, with zeros. */
  int32_t (*process)(void *instance, busbar_round *round, const busbar_value *inputs, busbar_value *outputs);
} busbar_plugin;

/* The layout is part of the ABI. */
typedef char busbar_value_has_16_bytes[sizeof(busbar_value) == 16 ? 1 : -1];
typedef char busbar_item_has_72_bytes[sizeof(busbar_item) == 72 ? 1 : -1];
typedef char busbar_round_has_1168_bytes[sizeof(busbar_round) == 1168 ? 1 : -1];

#ifdef __cplusplus
}
#endif

#endif

/*
 * Busbar plugins, ABI 1: transformations, codecs, end-to-end protection and processors for gateway projects, and keys
 * for diagnostics, as C functions on flat buffers. Compiles as C99 and as C++.
 *
 * A library exports
 *
 *     BUSBAR_EXPORT uint32_t busbar_plugin_abi(void);            returns BUSBAR_PLUGIN_ABI
 *     BUSBAR_EXPORT const busbar_plugin *<entry>(void);          one entry per plugin; the project names it
 *
 * A library may contain any number of plugins. The returned structure must not change while the library is loaded.
 *
 *                    first start                each start                while it runs             unload
 *     entry() ──► create(setup, &instance) ──► reset(instance) ──► run, decode, encode, … ──► destroy(instance)
 *
 * The host calls all functions from one thread and offers no callbacks. Pointers are valid until the call returns and
 * point to copies: the host applies the output only after BUSBAR_OK, and then all of it. A function must not block and
 * should take microseconds, because all deadlines of the bench wait for it. The host cannot interrupt a call. A function
 * must not throw, exit or longjmp.
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

/* Signal types. An enum is passed as its number. */
#define BUSBAR_BOOL 1u
#define BUSBAR_INT64 2u
#define BUSBAR_UINT64 3u
#define BUSBAR_FLOAT64 4u
#define BUSBAR_ENUM 5u
/* In a list of types: any type. */
#define BUSBAR_ANY_TYPE 0u

/* As a number of signals or bits: any number. */
#define BUSBAR_ANY 0xFFFFFFFFu

/* Return codes. All codes except BUSBAR_OK are failures, apart from the codes of `decode` and `check` below. */
#define BUSBAR_OK 0
#define BUSBAR_FAILED 1
/* decode: the raw value means "invalid" or "not available". */
#define BUSBAR_INVALID 2
#define BUSBAR_NOT_AVAILABLE 3
/* check, as in AUTOSAR: frame valid, but earlier frames lost; repeated frame; wrong sequence. */
#define BUSBAR_SOME_LOST 4
#define BUSBAR_REPEATED 5
#define BUSBAR_WRONG_SEQUENCE 6

/* Limits. */
#define BUSBAR_MAX_FRAME 64u
#define BUSBAR_MAX_ITEMS 16u
#define BUSBAR_MAX_STATE 256u

/* Since the last call of the processor: value or validity changed; received again, with or without a change. */
#define BUSBAR_CHANGED 1u
#define BUSBAR_OBSERVED 2u

/* Value of a signal. `type` selects the member of `as`: u for bool (0, 1) and uint64, i for int64 and enum, f for
 * float64. A plugin must not change the `type` of an output. `valid` is 1, or 0 without a valid value. Only processors
 * may set it to 0. Any other number fails the whole call. */
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

/* Settings of a plugin instance. */
typedef struct busbar_setup {
  uint32_t size;           /* sizeof(busbar_setup) of the host; later versions have more members. */
  uint32_t context_length; /* Bytes of `context`, without the terminating zero. */
  const char *context;     /* `context` of the project as JSON, default "{}"; zero-terminated. */
  uint32_t inputs;         /* Transformations and processors: number and types of signals. */
  uint32_t outputs;
  const uint8_t *input_types;
  const uint8_t *output_types;
  const uint32_t *task_lengths; /* Processors: message length of each of `send_tasks`, in bytes. */
  uint32_t tasks;
  uint32_t bit_length;   /* Codecs: length of the raw value. */
  uint32_t frame_length; /* Protection: bytes per frame. */
  uint32_t message_size; /* Size of `message`, including the terminating zero. */
  char *message;         /* Error message of `create` for the user, zero-terminated. */
} busbar_setup;

/* Frame for a task of mode `request`. */
typedef struct busbar_item {
  uint32_t task;   /* Index in `send_tasks`, from 0. */
  uint32_t length; /* Length of the message, exactly. */
  uint8_t data[BUSBAR_MAX_FRAME];
} busbar_item;

/* One call of a processor. */
typedef struct busbar_round {
  uint64_t now_us;     /* Monotonic clock; use differences only. */
  uint32_t item_room;  /* Maximum number of items in this call. With more, all items are rejected. */
  uint32_t item_count; /* 0 at the call; the processor sets the number of staged items. */
  busbar_item items[BUSBAR_MAX_ITEMS];
} busbar_round;

typedef struct busbar_plugin {
  uint32_t abi;  /* BUSBAR_PLUGIN_ABI */
  uint32_t size; /* sizeof(busbar_plugin) */
  uint32_t kind;
  uint32_t inputs; /* Transformations and processors: number of signals, or BUSBAR_ANY. */
  uint32_t outputs;
  uint32_t bit_length;         /* Codecs: length of the raw value, or BUSBAR_ANY. */
  uint32_t state_size;         /* Protection: bytes of state, at most BUSBAR_MAX_STATE. */
  uint32_t reserved;           /* 0 */
  const uint8_t *input_types;  /* One type per signal; NULL accepts any types. */
  const uint8_t *output_types;

  /* Creates an instance, which may be NULL for a plugin without state. The host first calls it in a separate test
   * process with the same setup. */
  int32_t (*create)(const busbar_setup *setup, void **instance);
  /* May be NULL. */
  void (*destroy)(void *instance);
  /* Clears the state of earlier values before a start. May be NULL. */
  void (*reset)(void *instance);

  /* Transformation: computes all outputs. All inputs are valid. */
  int32_t (*run)(void *instance, const busbar_value *inputs, busbar_value *outputs);

  /* Codec. Bit 0 of the raw value is the lowest bit of the first byte; bits after the last one are 0 and ignored.
   * `decode` sets a value of the given type, or returns the reason why none exists. */
  int32_t (*decode)(void *instance, const uint8_t *bits, busbar_value *value);
  int32_t (*encode)(void *instance, const busbar_value *value, uint8_t *bits);

  /* Protection. `state` is zero when a project is loaded (protect) or started (check). The host stores it if the frame
   * is sent, or was checked. `check` must not change the frame. */
  int32_t (*protect)(void *instance, uint8_t *state, uint8_t *bytes, uint32_t length);
  int32_t (*check)(void *instance, uint8_t *state, const uint8_t *bytes, uint32_t length);

  /* Processor. Outputs contain the current values; `items` and `item_count` are zero. */
  int32_t (*process)(void *instance, busbar_round *round, const busbar_value *inputs, busbar_value *outputs);
} busbar_plugin;

/* Key of a seed for UDS security access. The function has a name of its own: `entry` of `seed_key` in the bench file.
 *
 *     BUSBAR_EXPORT int32_t <entry>(uint8_t level, const uint8_t *seed, uint32_t seed_length, uint8_t *key,
 *                                   uint32_t *key_length);
 *
 * `level` is the odd sub-function of the seed. `*key_length` is the room for the key at the call, BUSBAR_MAX_KEY; the
 * function sets it to the length of the key. It runs in a process of its own, for at most 2 s. */
#define BUSBAR_MAX_KEY 4096u
typedef int32_t (*busbar_seed_key)(uint8_t level, const uint8_t *seed, uint32_t seed_length, uint8_t *key,
                                   uint32_t *key_length);

/* The layout is part of the ABI. */
typedef char busbar_value_has_16_bytes[sizeof(busbar_value) == 16 ? 1 : -1];
typedef char busbar_item_has_72_bytes[sizeof(busbar_item) == 72 ? 1 : -1];
typedef char busbar_round_has_1168_bytes[sizeof(busbar_round) == 1168 ? 1 : -1];

#ifdef __cplusplus
}
#endif

#endif

import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLibrary, exampleSource } from '../../src/gateway/plugins/testing/build-plugins.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';
import { api } from './support/channel-bench.ts';
import { processesOf } from './support/processes.ts';
import { TransmitBench } from './support/transmit-bench.ts';

const hasCompiler = hasPeer('/usr/bin/cc', 'gcc');

/** Each function misbehaves in another way; `name` becomes a function of the plugin SDK. */
const source = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "busbar_plugin.h"
BUSBAR_EXPORT uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }
#define KEY(name, ...) BUSBAR_EXPORT int32_t name(uint8_t level, const uint8_t *seed, \\
    uint32_t seed_length, uint8_t *key, uint32_t *key_length) { \\
  (void)level; (void)seed; (void)seed_length; (void)key; (void)key_length; __VA_ARGS__ }
KEY(aborts, abort();)
KEY(exits, exit(0);)
KEY(writes_to_null, volatile int *nowhere = 0; *nowhere = 0; return BUSBAR_OK;)
KEY(hangs, for (;;) pause();)
KEY(spins, for (volatile int i = 0;; i++);)
KEY(leaves_a_child, if (fork() == 0) for (;;) pause(); abort();)
KEY(refuses, return BUSBAR_FAILED;)
KEY(is_empty, *key_length = 0; return BUSBAR_OK;)
KEY(is_too_long, *key_length = 4097; return BUSBAR_OK;)
KEY(writes_a_report, write(3, "{\\"key\\":\\"zz\\"}", 12); exit(0);)
`;

const failing = [
  ...['aborts', 'exits', 'writes_to_null', 'hangs', 'spins', 'leaves_a_child'],
  ...['refuses', 'is_empty', 'is_too_long', 'writes_a_report', 'missing'],
];

describe.skipIf(!hasCompiler)('the key of a library', () => {
  const bench = new TransmitBench();
  const link = (port: number, entry: string, index: number) => ({
    channel: `SIM00001/${port}`,
    request_id: 0x700 + index,
    response_id: 0x740 + index,
    ...{ p2_ms: 20_000, n_as_ms: 20_000 },
    seed_key: { library: 'plugins/keys.so', entry },
  });

  beforeAll(async () => {
    const faulty = Object.fromEntries(
      failing.map((entry, index) => [entry, link(0, entry, index)]),
    );
    const sound = {
      ...link(0, 'example_key', 0x3f),
      seed_key: { library: 'plugins/seed_key.so', entry: 'example_key' },
    };
    bench.write('busbar.bench.json', JSON.stringify({ ecus: { ...faulty, sound } }));
    bench.write('keys.c', source);
    mkdirSync(bench.path('plugins'));
    buildLibrary(bench.path('keys.c'), bench.path('plugins/keys.so'));
    buildLibrary(exampleSource('seed_key'), bench.path('plugins/seed_key.so'));
    const security = { '1': { seed: 'DEADBEEF', key: '7C091C4B' } };
    // Longer than the pauses of a busy machine.
    const extended = { p2_ms: 20_000, p2_star_ms: 20_000, s3_ms: 3_600_000 };
    bench.write('ecu.json', JSON.stringify({ security, sessions: { '3': extended } }));
    await bench.start();
    for (const port of [0, 1]) await bench.open(`SIM00001/${port}`);
    for (const ecu of [...Object.keys(faulty), 'sound']) {
      await bench.create('simulated-ecus', { channel: 'SIM00001/1', file: 'ecu.json', ecu });
    }
  });
  afterAll(() => bench.dispose());

  const unlock = async (ecu: string) => {
    await bench.post(`${api}/diagnostics/${ecu}/session`, { session: 'extended' });
    return bench.post(`${api}/diagnostics/${ecu}/security`, { level: 1 });
  };

  const left = (): number[] =>
    processesOf(bench.home)
      .filter(({ kind }) => kind === 'other')
      .map(({ pid }) => pid);

  it('unlocks the ECU', async () => {
    // On a busy machine, the process can take longer than its 2 s.
    await eventually(async () => (await unlock('sound')).json().result?.unlocked === true);
    expect((await bench.status('diagnostics/sound')).security_level).toBe(1);
    await eventually(() => left().length === 0);
  });

  it.each(failing)('is refused if the function %s, and nothing keeps running', async (ecu) => {
    const answer = await unlock(ecu);
    expect([answer.status, answer.json().error]).toMatchObject([422, { code: 'plugin_failed' }]);
    expect(answer.json().error.message).toContain(ecu);
    await eventually(() => left().length === 0);
    const request = { data: '3E00' };
    const next = await bench.post(`${api}/diagnostics/${ecu}/requests`, request);
    expect(next.json()).toMatchObject({ response: '7E00' });
    expect((await bench.status(`diagnostics/${ecu}`)).security_level).toBe(0);
  });

  it('is computed for a flash job in the same way', async () => {
    bench.write('app.bin', Uint8Array.of(1, 2, 3, 4));
    const session = { step: 'session', session: 'extended' };
    const steps = [session, { step: 'security', level: 1 }, { step: 'download' }];
    bench.write('steps.json', JSON.stringify({ name: 'keys', steps }));
    const flash = ['--sequence=steps.json', '--address=0x08000000'];
    expect(await bench.failure('uds', 'flash', 'aborts', 'app.bin', ...flash)).toMatchObject({
      code: 'plugin_failed',
    });
    await eventually(() => left().length === 0);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import {
  itemLayout,
  pluginBytes,
  roundLayout,
  setupLayout,
  valueLayout,
} from '../../src/gateway/plugins/abi.ts';
import {
  compile,
  type Example,
  exampleSource,
  examples,
  sdk,
} from '../../src/gateway/plugins/testing/build-plugins.ts';
import { hasPeer } from '../support/peers.ts';

const hasC = hasPeer('/usr/bin/cc', 'gcc');
const hasCpp = hasPeer('/usr/bin/c++', 'g++');

/** A file of the compiler; only its name if it does not exist. */
const compilerFile = (name: string): string =>
  execFileSync('cc', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();

const hasSanitizer = hasC && hasPeer(compilerFile('libasan.so'), 'gcc');

const support = (name: string): string => join(import.meta.dirname, 'support', name);

const header = join(sdk, 'busbar_plugin.h');
const pedantic = ['-Wconversion', '-Wshadow', '-Wundef', '-fsyntax-only'];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'busbar-sdk-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasC)('the header of plugins in C', () => {
  it.each(['c99', 'c11', 'c17'])('compiles as %s without a warning', (standard) => {
    compile('cc', `-std=${standard}`, ...pedantic, '-Wstrict-prototypes', '-x', 'c', header);
  });

  it('may be included twice, and before everything else', () => {
    const source = join(folder, 'twice.c');
    writeFileSync(source, '#include "busbar_plugin.h"\n#include "busbar_plugin.h"\nint unused;\n');
    compile('cc', '-std=c99', ...pedantic, source);
  });

  it.each(examples)('is enough for the example %s, as strictly', (name) => {
    compile('cc', '-std=c99', ...pedantic, '-Wmissing-prototypes', exampleSource(name));
  });

  it('places everything where the host looks for it', () => {
    const program = join(folder, 'layout');
    compile('cc', '-std=c99', '-o', program, support('plugin_layout.c'));
    const lines = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const layouts = {
      value: valueLayout,
      item: itemLayout,
      round: roundLayout,
      setup: setupLayout,
    };
    const expected = Object.entries(layouts).flatMap(([type, { size, ...members }]) => [
      `${type} ${size}`,
      ...Object.entries(members).map(([name, at]) => `${type}.${snake(name)} ${at}`),
    ]);
    expect(lines).toEqual([...expected, `plugin ${pluginBytes}`]);
  });
});

describe.skipIf(!hasCpp)('the header of plugins in C++', () => {
  it.each(['c++11', 'c++17', 'c++20'])('compiles as %s without a warning', (standard) => {
    compile('c++', `-std=${standard}`, ...pedantic, '-Wold-style-cast', '-x', 'c++', header);
  });

  it.each(examples)('takes the example %s as C++ too', (name) => {
    compile('c++', '-std=c++11', '-fsyntax-only', '-x', 'c++', exampleSource(name));
  });
});

describe.skipIf(!hasSanitizer)('the example plugins under AddressSanitizer', () => {
  const contexts: Record<Example, readonly [sound: string, refused: string | null]> = {
    low_pass: ['{"alpha":0.25}', '{"alpha":7}'],
    nibble_swap: ['{}', null],
    rolling_xor: ['{"key":90}', '{"key":256}'],
    responder: ['{}', null],
  };

  const build = (name: string, source: string): string => {
    const program = join(folder, `${name}-harness`);
    const sanitized = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-g', '-O1'];
    const harness = support('plugin_harness.c');
    compile('cc', '-std=c99', ...sanitized, `-DENTRY=${name}`, '-o', program, harness, source);
    return program;
  };

  // A leak check takes seconds, the other tests no time.
  const run = (program: string, seed: number, context: string, leaks = false) => {
    const { status, stdout, stderr } = spawnSync(program, [String(seed), context], {
      encoding: 'utf8',
      env: { ASAN_OPTIONS: `detect_leaks=${leaks ? 1 : 0}` },
    });
    return { status, said: `${stdout}${stderr}`.trim() };
  };

  it.each(examples)('%s stays within its buffers, and leaves nothing behind', (name) => {
    const program = build(name, exampleSource(name));
    const [sound, refused] = contexts[name];
    for (const seed of [1, 20_261, 4_000_000_007]) {
      const leaks = isLong && seed === 1;
      expect(run(program, seed, sound, leaks)).toEqual({ status: 0, said: 'done' });
    }
    if (refused === null) return;
    expect(run(program, 1, refused)).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^refused: .* must be/),
    });
  });

  it('would notice a plugin that writes behind its output', () => {
    const source = join(folder, 'beyond.c');
    writeFileSync(
      source,
      `#include "busbar_plugin.h"
static int32_t create(const busbar_setup *setup, void **instance) {
  *instance = (void *)(uintptr_t)setup->outputs;
  return BUSBAR_OK;
}
static int32_t run(void *instance, const busbar_value *inputs, busbar_value *outputs) {
  outputs[(uintptr_t)instance].as.u = inputs[0].as.u;
  return BUSBAR_OK;
}
static const busbar_plugin plugin = {
    .abi = BUSBAR_PLUGIN_ABI, .size = sizeof(busbar_plugin), .kind = BUSBAR_TRANSFORMATION,
    .inputs = 1, .outputs = 1, .create = create, .run = run,
};
uint32_t busbar_plugin_abi(void);
uint32_t busbar_plugin_abi(void) { return BUSBAR_PLUGIN_ABI; }
const busbar_plugin *beyond(void);
const busbar_plugin *beyond(void) { return &plugin; }
`,
    );
    const { status, said } = run(build('beyond', source), 1, '{}');
    expect(status).not.toBe(0);
    expect(said).toContain('heap-buffer-overflow');
  });
});

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkLayers } from '../../scripts/check-layers.mjs';
import { repository } from '../support/workbench.ts';
import { consoleSources, read, sources } from './support/house-files.ts';

const { existing, roomsOf } = createRequire(import.meta.url)('../../scripts/rooms.cjs');

/** Files that break one rule each, with that rule, in a tree without other files. */
const probes: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['src/base/probe-1.ts', "import '../operations/registry.ts';", 'room-base'],
  ['src/frame/probe-2.ts', "import 'node:fs';", 'pure-rooms-do-no-io'],
  [
    'src/modbus/service/probe-3.ts',
    "import '../../operations/registry.ts';",
    'room-modbus-service',
  ],
  ['src/signal/probe-4.ts', "import './service/signal-service.ts';", 'room-signal'],
  ['src/signal/service/probe-5.ts', "import '../../web/service.ts';", 'room-signal-service'],
  ['src/gateway/image/probe-6.ts', "import '../build/project-builder.ts';", 'room-gateway-image'],
  ['src/operations/probe-7.ts', "import '../web/service.ts';", 'room-operations'],
  ['src/operations/probe-8.ts', "import 'node:http';", 'operations-know-no-face'],
  ['src/cli/probe-9.ts', "import '../web/service.ts';", 'room-cli'],
  ['src/cli/probe-10.ts', "import '../daemon/ipc/server.ts';", 'room-cli'],
  ['src/cli/probe-11.ts', "import '../daemon/compose/main.ts';", 'room-cli'],
  ['src/cli/probe-12.ts', "import '../operations/registry.ts';", 'cli-starts-fast'],
  ['src/web/probe-13.ts', "import '../cli/main.ts';", 'room-web'],
  ['src/web/probe-14.ts', "import 'vitest';", 'product-code-ships'],
  ['src/daemon/ipc/probe-15.ts', "import '../../web/service.ts';", 'room-daemon-ipc'],
  ['src/nowhere/probe-16.ts', '', 'no-homeless'],
  ['console/src/ui/probe-17.ts', "import '../pages/send/send-page.ts';", 'console-ui'],
  ['console/src/pages/api/probe-18.ts', "import '../send/send-page.ts';", 'console-pages-api'],
  [
    'console/src/state/probe-19.ts',
    "import '../../../src/cli/main.ts';",
    'console-shares-pure-rooms',
  ],
  [
    'console/src/state/probe-28.ts',
    "import '../../../clients/typescript/src/index.ts';",
    'console-calls-through-its-client',
  ],
  ['console/src/state/probe-20.ts', "import 'node:fs';", 'console-runs-in-browsers'],
  ['console/src/state/probe-21.ts', "import type { probe } from './probe-21.ts';", 'no-circular'],
  ['console/src/nowhere/probe-22.ts', '', 'no-homeless'],
  [
    'tests/reference/gateway/probe-23.ts',
    "import '../../../src/cli/main.ts';",
    'reference-stands-alone',
  ],
  ['tests/reference/gateway/probe-24.ts', "import 'vitest';", 'reference-stands-alone'],
  ['src/base/decimal/probe-25.ts', "import 'node:fs';", 'pure-rooms-do-no-io'],
  ['src/trace/candump/probe-26.ts', "import 'node:fs';", 'pure-rooms-do-no-io'],
  [
    'console/src/state/probe-27.ts',
    "import '../../../src/trace/read-any.ts';",
    'console-runs-in-browsers',
  ],
];

/** A shared room that imports a Node module through a second file. */
const compressed = {
  'src/trace/read-any.ts': "export * from './blf/inflate.ts';\n",
  'src/trace/blf/inflate.ts': "export { inflateSync } from 'node:zlib';\n",
};

/** Imports that no rule forbids. */
const allowed = ['modbus/service/modbus-service', 'signal/service/signal-service'];

/** Files that import each other, as types only or through a third file. */
const circle = {
  'src/drivers/port.ts': "import type { Bus } from './bus.ts';\nexport type Port = Bus;\n",
  'src/drivers/bus.ts': "import type { Wire } from './wire.ts';\nexport type Bus = Wire;\n",
  'src/drivers/wire.ts': "import type { Port } from './port.ts';\nexport type Wire = Port;\n",
};

const gatewayProbe = (service: string): string =>
  `src/gateway/runtime/${service.split('/')[0]}-probe.ts`;

/** Checking one tree with all probes takes as long as checking it with one. */
const buildHouse = (): string => {
  const house = mkdtempSync(join(tmpdir(), 'busbar-house-'));
  const put = (path: string, content: string): void => {
    mkdirSync(join(house, path, '..'), { recursive: true });
    writeFileSync(join(house, path), content);
  };
  for (const target of [
    'src/modbus/service/modbus-service',
    'src/signal/service/signal-service',
    'src/gateway/build/project-builder',
    'src/operations/registry',
    'src/web/service',
    'src/cli/main',
    'src/daemon/ipc/server',
    'src/daemon/compose/main',
    'console/src/pages/send/send-page',
    'clients/typescript/src/index',
  ]) {
    put(`${target}.ts`, 'export const target = 1;\n');
  }
  symlinkSync(join(repository, 'node_modules'), join(house, 'node_modules'));
  put('package.json', read('package.json'));
  for (const [path, content] of Object.entries({ ...circle, ...compressed })) put(path, content);
  for (const [path, text] of probes) put(path, `${text}\nexport const probe = 1;\n`);
  for (const service of allowed) {
    put(gatewayProbe(service), `import '../../${service}.ts';\nexport const probe = 1;\n`);
  }
  return house;
};

describe('the import table', () => {
  it('sees the whole house and finds nothing against it', async () => {
    const { modules, violations } = await checkLayers();
    expect(modules).toEqual(expect.arrayContaining([...sources, ...consoleSources]));
    expect(violations).toEqual([]);
  });

  describe('of a house', () => {
    let violations: readonly string[] = [];

    beforeAll(async () => {
      const house = buildHouse();
      ({ violations } = await checkLayers(house));
      rmSync(house, { recursive: true });
    });

    const foundAt = (path: string): readonly string[] =>
      violations.filter((violation) => violation.includes(`: ${path}`));

    it.each(probes)('refuses %s with %s', (file, _, rule) => {
      expect(foundAt(file)).toEqual([expect.stringMatching(`^${rule}: ${file}`)]);
    });

    it('refuses files that know each other, by their types alone or by way of a third', () => {
      expect(foundAt('src/drivers/')).toEqual([expect.stringMatching(/^no-circular: /)]);
    });

    it.each(allowed)('lets the gateway use %s', (service) => {
      expect(foundAt(gatewayProbe(service))).toEqual([]);
    });

    it('finds nothing else against it', () => {
      expect(violations).toHaveLength(probes.length + 1);
    });
  });

  it('names only rooms that there are', () => {
    expect(() => existing(['frame', 'gateway/faults'])).toThrow('No folder of src: gateway/faults');
    expect(() => existing(['pages/faults', 'pages/plot'], 'console/src')).toThrow('pages/plot');
    const table = [[{ room: 'frame' }], [{ room: 'trace', only: ['frames'] }]];
    expect(() => roomsOf(table)).toThrow('No room of the table: frames');
  });

  it('sees nothing in an empty house, which the check takes for a failure', async () => {
    const house = mkdtempSync(join(tmpdir(), 'busbar-house-'));
    mkdirSync(join(house, 'src'));
    expect((await checkLayers(house)).modules).toEqual([]);
    rmSync(house, { recursive: true });
  });
});

describe('the lock file', () => {
  it('names no download address', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  });
});

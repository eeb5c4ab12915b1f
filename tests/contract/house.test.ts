import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLayers } from '../../scripts/check-layers.mjs';
import { errorCodes } from '../../src/base/errors/table.ts';
import { repository } from '../support/workbench.ts';

const filesBelow = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)));

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

const sources = filesBelow('src').filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/'),
);

const consoleSources = filesBelow('console/src').filter((path) => /\.tsx?$/.test(path));

/** A house of its own with empty rooms to import from, and one file that breaks a rule. */
const buildProbe = (file: string, text: string, others: Record<string, string> = {}): string => {
  const house = mkdtempSync(join(tmpdir(), 'busbar-house-'));
  const put = (path: string, content: string): void => {
    mkdirSync(join(house, path, '..'), { recursive: true });
    writeFileSync(join(house, path), content);
  };
  for (const target of [
    'modbus/service/modbus-service',
    'signal/service/signal-service',
    'gateway/build/project-builder',
    'operations/registry',
    'web/service',
    'cli/main',
    'daemon/ipc/server',
    'daemon/compose/main',
  ]) {
    put(`src/${target}.ts`, 'export const target = 1;\n');
  }
  put('console/src/pages/send/send-page.ts', 'export const target = 1;\n');
  symlinkSync(join(repository, 'node_modules'), join(house, 'node_modules'));
  put('package.json', read('package.json'));
  for (const [path, content] of Object.entries(others)) put(path, content);
  put(file, `${text}\nexport const probe = 1;\n`);
  return house;
};

describe('the import table', () => {
  it('sees the whole house and finds nothing against it', async () => {
    const { modules, violations } = await checkLayers();
    expect(modules).toEqual(expect.arrayContaining([...sources, ...consoleSources]));
    expect(violations).toEqual([]);
  });

  it.each([
    ['src/base/probe.ts', "import '../operations/registry.ts';", 'room-base'],
    ['src/frame/probe.ts', "import 'node:fs';", 'pure-rooms-do-no-io'],
    [
      'src/modbus/service/probe.ts',
      "import '../../operations/registry.ts';",
      'room-modbus-service',
    ],
    ['src/signal/probe.ts', "import './service/signal-service.ts';", 'room-signal'],
    ['src/signal/service/probe.ts', "import '../../web/service.ts';", 'room-signal-service'],
    ['src/gateway/image/probe.ts', "import '../build/project-builder.ts';", 'room-gateway-image'],
    ['src/operations/probe.ts', "import '../web/service.ts';", 'room-operations'],
    ['src/operations/probe.ts', "import 'fastify';", 'operations-know-no-face'],
    ['src/cli/probe.ts', "import '../web/service.ts';", 'room-cli'],
    ['src/cli/probe.ts', "import '../daemon/ipc/server.ts';", 'room-cli'],
    ['src/cli/probe.ts', "import '../daemon/compose/main.ts';", 'room-cli'],
    ['src/cli/probe.ts', "import '../operations/registry.ts';", 'cli-starts-fast'],
    ['src/web/probe.ts', "import '../cli/main.ts';", 'room-web'],
    ['src/web/probe.ts', "import 'vitest';", 'product-code-ships'],
    ['src/daemon/ipc/probe.ts', "import '../../web/service.ts';", 'room-daemon-ipc'],
    ['src/nowhere/probe.ts', '', 'no-homeless'],
    ['console/src/ui/probe.ts', "import '../pages/send/send-page.ts';", 'console-ui'],
    ['console/src/pages/api/probe.ts', "import '../send/send-page.ts';", 'console-pages-api'],
    [
      'console/src/state/probe.ts',
      "import '../../../src/cli/main.ts';",
      'console-shares-pure-rooms',
    ],
    ['console/src/state/probe.ts', "import 'node:fs';", 'console-runs-in-browsers'],
    ['console/src/state/probe.ts', "import type { probe } from './probe.ts';", 'no-circular'],
    ['console/src/nowhere/probe.ts', '', 'no-homeless'],
    [
      'tests/reference/gateway/probe.ts',
      "import '../../../src/cli/main.ts';",
      'reference-stands-alone',
    ],
    ['tests/reference/gateway/probe.ts', "import 'vitest';", 'reference-stands-alone'],
  ])('refuses %s with %s', async (file, text, rule) => {
    const house = buildProbe(file, text);
    try {
      const { violations } = await checkLayers(house);
      expect(violations).toEqual([expect.stringMatching(`^${rule}: ${file}`)]);
    } finally {
      rmSync(house, { recursive: true });
    }
  });

  it('refuses files that know each other, by their types alone or by way of a third', async () => {
    const circle = {
      'src/drivers/port.ts': "import type { Bus } from './bus.ts';\nexport type Port = Bus;\n",
      'src/drivers/bus.ts':
        "import type { probe } from './probe.ts';\nexport type Bus = typeof probe;\n",
    };
    const probe = 'src/drivers/probe.ts';
    const house = buildProbe(probe, "import type { Port } from './port.ts';", circle);
    try {
      const { violations } = await checkLayers(house);
      expect(violations).toEqual([expect.stringMatching(/^no-circular: src\/drivers\//)]);
    } finally {
      rmSync(house, { recursive: true });
    }
  });

  it.each(['modbus/service/modbus-service', 'signal/service/signal-service'])(
    'lets the gateway use %s',
    async (service) => {
      const house = buildProbe('src/gateway/probe.ts', `import '../${service}.ts';`);
      expect((await checkLayers(house)).violations).toEqual([]);
      rmSync(house, { recursive: true });
    },
  );

  it('sees nothing in an empty house, which the check takes for a failure', async () => {
    const house = mkdtempSync(join(tmpdir(), 'busbar-house-'));
    mkdirSync(join(house, 'src'));
    expect((await checkLayers(house)).modules).toEqual([]);
    rmSync(house, { recursive: true });
  });
});

describe('the sources', () => {
  it('take time from the injected clock only', () => {
    const timed =
      /\bDate\.now\b|node:timers|\bhrtime\b|\bperformance\.now\b|(?<!\.)\bset(?:Timeout|Interval)\(|\bnew Date\(\)/;
    const offenders = sources.filter(
      (path) => !/^src\/(base\/clock|drivers)\//.test(path) && timed.test(read(path)),
    );
    expect(offenders).toEqual([]);
  });

  it('load modules in ways that the import table can see', () => {
    const hidden = /\bcreateRequire\b|getBuiltinModule|\bimport\((?!'|\n *')/;
    expect(sources.filter((path) => hidden.test(read(path)))).toEqual([]);
  });

  it('refuse no request where they only wire', () => {
    const refusing =
      /\b(?:invalidArgument|unsupportedByHardware|withField)\(|throw new BusbarError\('(?!internal_error')/;
    const wiring = sources.filter((path) => path.startsWith('src/daemon/compose/'));
    expect(wiring).not.toEqual([]);
    expect(wiring.filter((path) => refusing.test(read(path)))).toEqual([]);
  });

  it('throw no bare Error', () => {
    const offenders = sources.filter((path) => /\bthrow new Error\(/.test(read(path)));
    expect(offenders).toEqual([]);
  });

  it('name constants in camel case, those of the system too', () => {
    const shouted = /^\s*(?:export )?const [A-Z][A-Z\d_]+\b/m;
    expect(filesBelow('src').filter((path) => shouted.test(read(path)))).toEqual([]);
  });

  it('stay small', () => {
    const large = sources.filter((path) => read(path).split('\n').length > 400);
    expect(large).toEqual([]);
  });

  it('declare every record in one file', () => {
    const files = new Map<string, string[]>();
    for (const path of sources) {
      const exported = read(path).matchAll(/^export (?:const|interface|type) ([A-Z]\w*Record)\b/gm);
      for (const name of new Set([...exported].map(([, found = '']) => found))) {
        files.set(name, [...(files.get(name) ?? []), path]);
      }
    }
    const repeated = [...files].filter(([, paths]) => paths.length > 1).map(([name]) => name);
    expect(repeated).toEqual([]);
  });

  it('use every error code of the table', () => {
    const text = sources
      .filter((path) => !path.startsWith('src/base/errors/'))
      .map(read)
      .join('\n');
    expect(errorCodes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });
});

describe('the documentation', () => {
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesBelow('docs')].filter(
    (path) => path.endsWith('.md'),
  );

  it('tells what is in every room of the import table', () => {
    const { layers } = createRequire(import.meta.url)('../../scripts/rooms.cjs');
    const rooms: string[] = layers.flat().map(({ room }: { room: string }) => `src/${room}/`);
    const architecture = read('docs/ARCHITECTURE.md');
    expect(rooms.filter((room) => !architecture.includes(`\`${room}\``))).toEqual([]);
  });

  it('names only paths that exist', () => {
    const folders = readdirSync(repository).join('|').replaceAll('.', '\\.');
    const named = new RegExp(`\`((?:${folders})(?:/[\\w.*{},-]+)*/?)\``, 'g');
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(named)]
        .map((match) => match[1] ?? '')
        .filter((path) => !/[*{]/.test(path) && !existsSync(join(repository, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('links only to pages and pictures that exist', () => {
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(join(repository, page, '..', target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the lock file', () => {
  it('names no download address', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BusbarError } from '../../src/base/errors/busbar-error.ts';
import { DatabaseStore } from '../../src/database/database-store.ts';
import { packDatabase } from '../../src/database/service/packed-database.ts';
import { hostileFiles } from '../../src/database/testing/hostile-files.ts';

const [mode, target = ''] = process.argv.slice(2);

const store = new DatabaseStore(1, () => 0);

const load = (file: string, bytes: Uint8Array): string => {
  try {
    const { messages, signals } = store.load({ name: 'hostile', file, bytes });
    return `read: ${messages} messages, ${signals} signals`;
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    if (code !== 'invalid_database') throw thrown;
    return `rejected: ${details.reason}`;
  }
};

/** What attaching a database does before it leaves its thread. */
const pack = (): void => {
  const database = store.find('hostile');
  if (database !== undefined) packDatabase('hostile', database);
};

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) / 1024;

if (mode === 'write') {
  const written = hostileFiles.map(({ what, file, make }, index) => {
    const path = join(target, `${index}-${file}`);
    writeFileSync(path, make());
    return { what, path };
  });
  console.log(JSON.stringify(written));
} else {
  const bytes = readFileSync(target);
  globalThis.gc?.();
  // Resets the peak, which the start of this process has set.
  writeFileSync('/proc/self/clear_refs', '5');
  const base = peakMb();
  const start = processorMs();
  const result = load(target, bytes);
  const loaded = processorMs();
  pack();
  const times = { load: loaded - start, pack: processorMs() - loaded };
  console.log(JSON.stringify({ bytes: bytes.length, ...times, mb: peakMb() - base, result }));
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTable } from '../../base/errors/table.ts';
import { linkProtocol, type Request } from '../../link/protocol.ts';
import { starterFd } from '../../link/start-report.ts';

/**
 * A process that starts, answers and ends as a daemon does; the channel `bad/0` does not open.
 */
const program = `
const { appendFileSync, writeSync } = require('node:fs');
const { createServer } = require('node:net');
const say = (socket, message) => socket.write(JSON.stringify(message) + '\\n');
const failure = { code: 'channel_not_found', message: 'no', details: {}, retryable: false };
const answers = {
  'daemon.status': () => ({ result: { state: 'running', pid: process.pid } }),
  'daemon.stop': () => ({ result: { state: 'stopped' } }),
  'channel.open': ({ channel }) => (channel === 'bad/0' ? { error: failure } : { result: {} }),
};
const server = createServer((socket) => {
  say(socket, { busbar: ${linkProtocol}, version: '0', pid: process.pid });
  let received = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const lines = (received + chunk).split('\\n');
    received = lines.pop();
    for (const line of lines) {
      const { id, operation, arguments: values, ...rest } = JSON.parse(line);
      if (id === undefined) continue;
      appendFileSync(__dirname + '/requests', line + '\\n');
      say(socket, { id, ...answers[operation](values) });
      if (operation === 'daemon.stop') socket.end(() => process.exit(0));
    }
  });
});
process.on('SIGTERM', () => process.exit(0));
appendFileSync(__dirname + '/pids', process.pid + '\\n');
server.listen(process.env.BUSBAR_HOME + '/busbar.sock', () => {
  writeSync(${starterFd}, JSON.stringify({ ready: { pid: process.pid } }) + '\\n');
});
`;

/** Built files with a fake daemon. */
export class FakeDistribution {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    writeFileSync(join(folder, 'daemon.cjs'), program);
  }

  /** Exit code of the command that could not open its channel. */
  static readonly failedOpenExit = errorTable.channel_not_found.exit;

  /** Requests that its daemons received, in order. */
  get requests(): readonly Request[] {
    return this.#linesOf('requests').map((line) => JSON.parse(line) as Request);
  }

  /** Process ids of the started daemons. */
  get pids(): readonly number[] {
    return this.#linesOf('pids').map(Number);
  }

  /** Complete lines only: a daemon may have created the file without writing a whole line yet. */
  #linesOf(name: string): string[] {
    const file = join(this.#folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  }
}

// A browser without a test driver. Drivers listen to the network of the page, which costs more for
// each frame of a WebSocket than the page itself does; here nothing but questions is asked.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

const program = '/usr/bin/chromium';
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--remote-debugging-port=0',
];

/** One conversation in the DevTools protocol. */
class Session {
  #socket;
  #last = 0;
  #waiting = new Map();

  static async open(url) {
    const session = new Session();
    session.#socket = new WebSocket(url, { maxPayload: 1 << 28 });
    session.#socket.on('message', (text) => session.#heard(JSON.parse(text)));
    await new Promise((done, failed) => {
      session.#socket.once('open', done).once('error', failed);
    });
    return session;
  }

  #heard({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.failed(new Error(error.message));
    else waiting?.done(result);
  }

  send(method, params = {}) {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  /** What an expression comes to inside the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
    return result.value;
  }

  close() {
    this.#socket.close();
  }
}

/** Where a browser that was just started listens. */
const endpointOf = (child) =>
  new Promise((found, failed) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const match = /DevTools listening on (ws:\S+)/.exec(line);
      if (match) found(match[1]);
    });
    child.once('exit', (code) => failed(new Error(`${program} ended with ${code}`)));
  });

/** Opens an address in a window of that size. */
export const openPage = async (url, { folder, width, height }) => {
  const child = spawn(
    program,
    [
      ...flags,
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${width},${height}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const endpoint = await endpointOf(child);
  const browser = await Session.open(endpoint);
  const { targetInfos } = await browser.send('Target.getTargets');
  const { targetId } = targetInfos.find(({ type }) => type === 'page');
  const page = await Session.open(endpoint.replace(/browser\/.*/, `page/${targetId}`));
  await page.send('Page.navigate', { url });
  return {
    page,
    /** Ids of the processes of that type, such as `renderer`. */
    processes: async (wanted) => {
      const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
      return processInfo.filter(({ type }) => type === wanted).map(({ id }) => id);
    },
    close: async () => {
      const ended = new Promise((done) => {
        child.once('exit', done);
      });
      await browser.send('Browser.close').catch(() => child.kill());
      await ended;
      page.close();
      browser.close();
    },
  };
};

// node scripts/pictures.mjs [folder] [--page=flow …]: takes screenshots of the console pages,
// light and dark, in three sizes, while the demo runs. With --docs three of them are also
// written to docs/pictures for the README.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { browserProgram } from './peers.mjs';

const root = resolve(import.meta.dirname, '..');
const sizes = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];
const themes = ['light', 'dark'];
const chosen = {
  overview: 'overview-1440-light',
  flow: 'flow-1440-light',
  signals: 'signals-1440-dark',
};
/** Time until plots and trends have content. */
const driveMs = 20_000;
const settleMs = 1500;

/** Starts the demo in a separate folder and returns the address of its console. */
const startDemo = async (folder) => {
  const child = spawn(process.execPath, [join(root, 'bin', 'busbar'), 'demo', '--port=0'], {
    cwd: folder,
    env: { ...process.env, BUSBAR_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += text;
    const [, address] = /Console\s+(\S+)/.exec(printed) ?? [];
    if (address) return { child, address };
  }
  throw new Error(`The demonstration ended: ${printed}`);
};

const takePictures = async (browser, address, folder, wanted) => {
  const page = await browser.newPage({ viewport: sizes[0] });
  await page.goto(address);
  await page.getByTestId('connection').filter({ hasText: 'Live' }).waitFor();
  const links = await page.locator('nav.views a').all();
  const all = await Promise.all(links.map((link) => link.getAttribute('href')));
  const places = all.filter((place) => wanted.length === 0 || wanted.includes(place.slice(1)));
  const open = async (place) => {
    await page.goto(new URL(place, address).href);
    await page.locator(`.page[data-page="${place.slice(1)}"]`).waitFor();
  };
  // Pages start recording when they are opened, so each is opened before the wait.
  for (const place of places) await open(place);
  await page.waitForTimeout(driveMs);
  for (const place of places) {
    await open(place);
    for (const theme of themes) {
      await page.getByTestId('theme-switch').locator(`[value="${theme}"]`).check({ force: true });
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.waitForTimeout(settleMs);
        const path = join(folder, `${place.slice(1)}-${size.width}-${theme}.png`);
        await page.screenshot({ path });
        console.log(path);
      }
    }
  }
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { docs: { type: 'boolean' }, page: { type: 'string', multiple: true } },
});
const [folder = join(tmpdir(), 'busbar-pictures')] = positionals;
mkdirSync(folder, { recursive: true });
const workplace = mkdtempSync(join(tmpdir(), 'busbar-pictures-'));
const { child, address } = await startDemo(workplace);
const browser = await chromium.launch({
  executablePath: browserProgram,
  args: ['--no-sandbox'],
});
try {
  await takePictures(browser, address, folder, values.page ?? []);
  if (values.docs) {
    const docs = join(root, 'docs', 'pictures');
    mkdirSync(docs, { recursive: true });
    for (const [name, picture] of Object.entries(chosen)) {
      copyFileSync(join(folder, `${picture}.png`), join(docs, `${name}.png`));
    }
  }
} finally {
  await browser.close();
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
  rmSync(workplace, { recursive: true, force: true });
}

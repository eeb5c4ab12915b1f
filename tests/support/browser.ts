import { type Browser, chromium, type Page } from 'playwright-core';
import { hasPeer } from './peers.ts';

const program = '/usr/bin/chromium';

export const hasBrowser = (): boolean => hasPeer(program, 'chromium');

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Everything a page does that it should not: script errors, blocked content, foreign requests. */
export const watchForTrouble = (page: Page, origin: string): string[] => {
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    const expected = /Failed to load resource|ERR_CONNECTION_REFUSED/.test(message.text());
    if (message.type() === 'error' && !expected) trouble.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) trouble.push(`foreign request: ${request.url()}`);
  });
  return trouble;
};

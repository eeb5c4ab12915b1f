import { signal } from '@preact/signals';
import type { ApiError } from '../../api/api-error.ts';
import { call, type Pdu } from '../../api/client.ts';
import { LiveReport } from '../../live/live-report.ts';

export const keptPdus = 4096;
const pageLimit = 1024;
const path = '/api/v1/pdus/stream';

export const pdus = signal<readonly Pdu[]>([]);
/** PDUs that the service no longer had when they were asked for. */
export const missedPdus = signal(0);
export const pduError = signal<ApiError | null>(null);

let after = 0;
let isReading = false;
let isDue = false;

const readPage = async (): Promise<boolean> => {
  const page = await call('pdu.history', { after, limit: pageLimit });
  if (page.pdus.length > 0) pdus.value = [...pdus.peek(), ...page.pdus].slice(-keptPdus);
  after = page.next_after;
  return after < page.newest_available;
};

const skipExpired = (error: ApiError): boolean => {
  if (error.code !== 'cursor_expired') return false;
  const resumed = Number(error.details.oldest_available) - 1;
  // A daemon that was restarted counts from 1 again.
  if (resumed < after) clearPdus();
  else if (pdus.peek().length > 0) missedPdus.value += resumed - after;
  after = resumed;
  return true;
};

/** Reads what is new: the history has all PDUs in order, and none twice. */
const readNew = async (): Promise<void> => {
  isDue = true;
  if (isReading) return;
  isReading = true;
  while (isDue) {
    isDue = false;
    try {
      if (await readPage()) isDue = true;
      pduError.value = null;
    } catch (thrown) {
      if (skipExpired(thrown as ApiError)) isDue = true;
      else pduError.value = thrown as ApiError;
    }
  }
  isReading = false;
};

/** The stream reports when something is new. */
const report = new LiveReport(() => void readNew());

let followers = 0;

/** Follows new PDUs until the returned function is called; views share one stream. */
export const followPdus = (): (() => void) => {
  followers += 1;
  report.follow(path);
  void readNew();
  return () => {
    followers -= 1;
    if (followers === 0) report.follow(null);
  };
};

export const pduState = report.state;

export const clearPdus = (): void => {
  pdus.value = [];
  missedPdus.value = 0;
};

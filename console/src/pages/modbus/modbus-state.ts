import { computed, effect, signal } from '@preact/signals';
import { ApiError } from '../../api/api-error.ts';
import type {
  ErrorEnvelope,
  ModbusRegisters,
  ModbusServer,
  ModbusStatus,
} from '../../api/client.ts';
import { formatRate } from '../../format/figures.ts';
import { LiveReport } from '../../live/live-report.ts';
import { isLike, rememberedJson } from '../../storage/remembered.ts';
import { betterView, firstView, lookOf, type RegisterView, streamPath } from './register-view.ts';
import { countsOf, type RequestRates, ratesBetween, type TimedCounts } from './request-rates.ts';

/** What the service tells of its sessions and servers; null until it has. */
export const status = signal<ModbusStatus | null>(null);
/** Requests in a second. */
export const rates = signal<RequestRates>(new Map());

export const rateText = (key: string): string => {
  const rate = rates.value.get(key);
  return rate === undefined ? '–' : formatRate(rate);
};

/** How a server is named to ask for it: by where it listens, if the system has chosen that. */
export const nameOf = ({
  address,
  endpoint,
}: Pick<ModbusServer, 'address' | 'endpoint'>): string =>
  address?.includes('tcp:') ? address : endpoint;

/** The server that the user picked; the first one until then. */
const picked = signal<string | null>(null);
/** Whether it was told of since; a new one is told of only a little later. */
const wasReported = signal(false);
export const pickServer = (name: string): void => {
  picked.value = name;
  wasReported.value = serverNamed(name) !== undefined;
  changeView({ unit: '' });
};
const serverNamed = (name: string): ModbusServer | undefined =>
  status.value?.servers.find((server) => nameOf(server) === name);

/** No other takes the place of one that has ended: its registers would pass for those. */
export const pickedServer = computed(() => {
  const name = picked.value;
  return (name === null ? status.value?.servers[0] : serverNamed(name)) ?? null;
});

/** Name of the picked server, if it has ended. */
export const endedServer = computed(() =>
  wasReported.value && !pickedServer.value ? picked.value : null,
);

const isView = (value: unknown): value is RegisterView => isLike(value, firstView);
const kept = rememberedJson<RegisterView>('busbar.modbus.view', firstView, isView);

/** Which of its registers are looked at. */
export const view = signal(kept.get());
export const changeView = (part: Partial<RegisterView>): void => {
  view.value = { ...view.peek(), ...part };
  kept.set({ ...view.peek(), unit: '' });
};

/** What is asked about it. */
export const look = computed(() =>
  lookOf(pickedServer.value && nameOf(pickedServer.value), view.value),
);

interface RegisterPair {
  readonly now: ModbusRegisters;
  readonly before: ModbusRegisters | null;
}

/** What the server holds there, and held before; null while that is not known. */
export const registers = signal<RegisterPair | null>(null);
/** Why it is not known. */
export const registersError = signal<ApiError | null>(null);

/** Units of servers that were looked at: after that it is the user who says where to look. */
const seen = new Map<string, Set<number>>();

type RegisterReading = { readonly look: string } & (ModbusRegisters | Pick<ErrorEnvelope, 'error'>);

const takeRegisters = (reported: RegisterReading): void => {
  // Other windows look elsewhere, on the same connection.
  if (reported.look !== look.peek()) return;
  if ('error' in reported) {
    registers.value = null;
    registersError.value = new ApiError({ ...reported.error, retryable: false });
    return;
  }
  registersError.value = null;
  const units = seen.get(reported.endpoint) ?? new Set();
  const better = units.has(reported.unit) ? null : betterView(view.peek(), reported);
  seen.set(reported.endpoint, units.add(reported.unit));
  if (better) view.value = better;
  else {
    changedAtMs = Date.now();
    registers.value = { now: reported, before: registers.peek()?.now ?? null };
  }
};

/** How long a change is marked, at least. */
const newsMs = 600;
let changedAtMs = 0;
let counts: TimedCounts | null = null;
const takeStatus = (reported: ModbusStatus): void => {
  const now = countsOf(reported, Date.now());
  rates.value = ratesBetween(counts, now);
  counts = now;
  status.value = reported;
  // A server that has ended is another when it is served again.
  const served = new Set(reported.servers.flatMap(({ endpoint, address }) => [endpoint, address]));
  for (const endpoint of seen.keys()) if (!served.has(endpoint)) seen.delete(endpoint);
  if (picked.peek() !== null && pickedServer.peek()) wasReported.value = true;
  // What has not changed for a while is no news any more.
  const known = registers.peek();
  if (known?.before && now.atMs - changedAtMs > newsMs) {
    registers.value = { ...known, before: null };
  }
};

/** Takes an event of the stream. */
export const hear = (type: string, data: unknown): void => {
  if (type === 'status') takeStatus(data as ModbusStatus);
  if (type === 'registers') takeRegisters(data as RegisterReading);
};
export const report = new LiveReport(hear);

/** The stream that tells all that is in sight. */
export const path = computed(() => streamPath(look.value));

/** The server whose registers are asked for; null also while a field makes no sense. */
const looksAt = computed(() =>
  pickedServer.value && look.value !== null ? nameOf(pickedServer.value) : null,
);
// What was told of another server, or is told no more, is not what is there now.
effect(() => {
  void looksAt.value;
  registers.value = null;
  registersError.value = null;
});

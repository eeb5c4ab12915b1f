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

type RequestRates = ReadonlyMap<string, number>;

interface TimedCounts {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, number>;
}

export const sessionKey = (endpoint: string): string => `session ${endpoint}`;
export const serverKey = ({ address, endpoint, started_at_us }: ServerName): string =>
  `server ${address ?? endpoint} ${started_at_us}`;

type ServerName = Pick<ModbusStatus['servers'][number], 'address' | 'endpoint' | 'started_at_us'>;

const countsOf = (status: ModbusStatus, atMs: number): TimedCounts => ({
  atMs,
  counts: new Map([
    ...status.sessions.map(({ endpoint, requests }) => [sessionKey(endpoint), requests] as const),
    ...status.servers.map((server) => [serverKey(server), server.requests] as const),
  ]),
});

export const ratesBetween = (before: TimedCounts | null, now: TimedCounts): RequestRates => {
  const rates = new Map<string, number>();
  const seconds = before ? (now.atMs - before.atMs) / 1000 : 0;
  if (!before || seconds <= 0) return rates;
  for (const [key, count] of now.counts) {
    const earlier = before.counts.get(key);
    if (earlier !== undefined && count >= earlier) rates.set(key, (count - earlier) / seconds);
  }
  return rates;
};

export const status = signal<ModbusStatus | null>(null);
export const rates = signal<RequestRates>(new Map());

export const rateText = (key: string): string => {
  const rate = rates.value.get(key);
  return rate === undefined ? '–' : formatRate(rate);
};

export const nameOf = ({
  address,
  endpoint,
}: Pick<ModbusServer, 'address' | 'endpoint'>): string =>
  address?.includes('tcp:') ? address : endpoint;

const picked = signal<string | null>(null);
/** True once the selected server was listed; a new one appears a little later. */
const wasReported = signal(false);
export const pickServer = (name: string): void => {
  picked.value = name;
  wasReported.value = serverNamed(name) !== undefined;
  changeView({ unit: '' });
};
const serverNamed = (name: string): ModbusServer | undefined =>
  status.value?.servers.find((server) => nameOf(server) === name);

/**
 * Null if the selected server stopped, so that registers of another server are not shown as its
 * own.
 */
export const pickedServer = computed(() => {
  const name = picked.value;
  return (name === null ? status.value?.servers[0] : serverNamed(name)) ?? null;
});

export const endedServer = computed(() =>
  wasReported.value && !pickedServer.value ? picked.value : null,
);

const isView = (value: unknown): value is RegisterView => isLike(value, firstView);
const kept = rememberedJson<RegisterView>('busbar.modbus.view', firstView, isView);

export const view = signal(kept.get());
export const changeView = (part: Partial<RegisterView>): void => {
  view.value = { ...view.peek(), ...part };
  kept.set({ ...view.peek(), unit: '' });
};

export const look = computed(() =>
  lookOf(pickedServer.value && nameOf(pickedServer.value), view.value),
);

interface RegisterPair {
  readonly now: ModbusRegisters;
  readonly before: ModbusRegisters | null;
}

export const registers = signal<RegisterPair | null>(null);
export const registersError = signal<ApiError | null>(null);

/** Units viewed before, per server: the view only moves automatically on the first visit. */
const seen = new Map<string, Set<number>>();

type RegisterReading = { readonly look: string } & (ModbusRegisters | Pick<ErrorEnvelope, 'error'>);

const takeRegisters = (reported: RegisterReading): void => {
  // Other windows share the connection with other queries.
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

const newsMs = 600;
let changedAtMs = 0;
let counts: TimedCounts | null = null;
const takeStatus = (reported: ModbusStatus): void => {
  const now = countsOf(reported, Date.now());
  rates.value = ratesBetween(counts, now);
  counts = now;
  status.value = reported;
  // A server that stopped counts as new when it starts again.
  const served = new Set(reported.servers.flatMap(({ endpoint, address }) => [endpoint, address]));
  for (const endpoint of seen.keys()) if (!served.has(endpoint)) seen.delete(endpoint);
  if (picked.peek() !== null && pickedServer.peek()) wasReported.value = true;
  // Clears the marks of old changes.
  const known = registers.peek();
  if (known?.before && now.atMs - changedAtMs > newsMs) {
    registers.value = { ...known, before: null };
  }
};

export const hear = (type: string, data: unknown): void => {
  if (type === 'status') takeStatus(data as ModbusStatus);
  if (type === 'registers') takeRegisters(data as RegisterReading);
};
export const report = new LiveReport(hear);

export const path = computed(() => streamPath(look.value));

/** Server whose registers are queried; null also while a field is invalid. */
const looksAt = computed(() =>
  pickedServer.value && look.value !== null ? nameOf(pickedServer.value) : null,
);
effect(() => {
  void looksAt.value;
  registers.value = null;
  registersError.value = null;
});

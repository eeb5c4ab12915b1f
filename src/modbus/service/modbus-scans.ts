import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import { ModbusClient } from '../client/modbus-client.ts';
import { WireTrace } from '../client/wire-trace.ts';
import { unitRange } from '../framing/unit-ids.ts';
import type { ItemAddress } from '../pdu/references.ts';
import type { WireListener } from '../session/exchange.ts';
import type { ModbusSession } from '../session/modbus-session.ts';
import type { SessionPool } from '../session/session-pool.ts';
import { tuningOf } from '../session/unit-tuning.ts';
import type { Endpoint, EndpointKind } from '../transport/endpoint.ts';
import { Attempts } from './attempts.ts';
import { type NamedEndpoint, namedEndpoint, withCallersEndpoint } from './named-endpoint.ts';
import { type NamedItems, requestedItems } from './named-items.ts';
import type { ModbusScan, ScannedUnit } from './scan-record.ts';

export interface ScanRequest
  extends NamedEndpoint,
    Pick<NamedItems, 'table' | 'address' | 'reference'> {
  /** `1-247` or `1,3,10-20`. */
  readonly units: string;
  readonly timeout_ms: number;
  readonly trace: boolean;
}

/** Link failures caused by a request. A link that cannot be opened ends the scan. */
export const brokenOver: ReadonlySet<unknown> = new Set([
  'closed_by_peer',
  'flooded_by_peer',
  'ECONNRESET',
  'EPIPE',
]);

const unitsIn = (text: string): number[] => {
  const units = new Set<number>();
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    if (first > last) {
      throw invalidArgument('units', `${part} starts above its end`, { reason: 'range' });
    }
    for (let unit = first; unit <= last; unit += 1) units.add(unit);
  }
  return [...units].sort((one, other) => one - other);
};

const scanned = (
  unit: number,
  state: ScannedUnit['state'],
  found: Partial<ScannedUnit> = {},
): ScannedUnit => ({ unit, state, exception: null, round_trip_us: null, error: null, ...found });

const failed = (unit: number, { code, message }: BusbarError): ScannedUnit =>
  scanned(unit, 'failed', { error: { code, message } });

const outcomeOf = (unit: number, error: BusbarError): ScannedUnit | undefined => {
  switch (error.code) {
    case 'modbus_timeout':
      return scanned(unit, 'silent');
    case 'modbus_exception': {
      const { exception: code, name } = error.details;
      const exception = { code: Number(code), name: String(name) };
      return scanned(unit, 'exception', { exception });
    }
    case 'busy':
    case 'modbus_bad_reply':
      return failed(unit, error);
    case 'modbus_unreachable':
      return brokenOver.has(error.details.reason) ? failed(unit, error) : undefined;
    default:
      return undefined;
  }
};

/** A failed connection or a unit in back-off. Both may be temporary. */
const mayPass = ({ code, details }: BusbarError): boolean =>
  code === 'busy'
    ? details.reason === 'resynchronising'
    : code === 'modbus_unreachable' && !brokenOver.has(details.reason);

class RoundTripTimer {
  #sentUs = 0;
  #heardUs = 0;

  readonly listen: WireListener = (direction, _bytes, unixUs) => {
    if (direction === 'tx') this.#sentUs = unixUs;
    else this.#heardUs = unixUs;
  };

  get us(): number {
    return this.#heardUs - this.#sentUs;
  }
}

interface Question extends ItemAddress {
  readonly endpoint: Endpoint;
  readonly session: ModbusSession;
  readonly timeoutMs: number;
  readonly traces: boolean;
}

export interface ScanProgress {
  readonly scanned: number;
  readonly total: number;
  readonly units: readonly ScannedUnit[];
}

interface ScanCaller {
  readonly signal?: AbortSignal | undefined;
  readonly report?: ((progress: ScanProgress) => void) | undefined;
  readonly maxMs?: number | undefined;
}

/** Retries of temporary errors before the scan continues or fails. */
const retries = 2;

const requireBounded = (units: number, timeoutMs: number, maxMs = Number.POSITIVE_INFINITY) => {
  if (units * timeoutMs <= maxMs) return;
  throw invalidArgument(
    'timeout_ms',
    `Scanning ${units} units may take ${units * timeoutMs} ms; at most ${maxMs} ms are allowed here`,
    { reason: 'range', maximum: Math.floor(maxMs / units) },
  );
};

const requireUnits = (units: readonly number[], kind: EndpointKind): void => {
  const { minimum, maximum } = unitRange(kind);
  const wrong = units.find((unit) => unit < minimum || unit > maximum);
  if (wrong === undefined) return;
  throw invalidArgument('units', `units must be from ${minimum} to ${maximum} here`, {
    reason: 'range',
    minimum,
    maximum,
  });
};

export class ModbusScans {
  readonly #pool: SessionPool;
  readonly #clock: Clock;

  constructor(pool: SessionPool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async scan(
    request: ScanRequest,
    bench: BenchSource,
    caller: ScanCaller = {},
  ): Promise<ModbusScan> {
    const { timeout_ms: timeoutMs, trace: traces } = request;
    const { table, address } = requestedItems(askedOf(request));
    const units = unitsIn(request.units);
    requireBounded(units.length, timeoutMs, caller.maxMs);
    const { endpoint, named } = await namedEndpoint(request, bench);
    requireUnits(units, endpoint.kind);
    try {
      const { session, release } = await this.#pool.acquire(endpoint);
      try {
        const question = { endpoint, session, table, address, timeoutMs, traces };
        return { ...named, ...(await this.#ask(units, question, caller)) };
      } finally {
        release();
      }
    } catch (thrown) {
      throw withCallersEndpoint(named, thrown);
    }
  }

  async #ask(units: readonly number[], question: Question, { signal, report }: ScanCaller) {
    const found: ScannedUnit[] = [];
    const silent: number[] = [];
    const known: ScannedUnit[] = [];
    for (const unit of units) {
      const asked = await this.#askUnit(unit, question, signal);
      if (asked.state === 'silent') silent.push(unit);
      else {
        found.push(asked);
        const { trace: _, ...plain } = asked;
        known.push(plain);
      }
      report?.({ scanned: found.length + silent.length, total: units.length, units: known });
    }
    return { units: found, silent };
  }

  async #askUnit(
    unit: number,
    { endpoint, session, table, address, timeoutMs, traces }: Question,
    signal: AbortSignal | undefined,
  ): Promise<ScannedUnit> {
    const client = new ModbusClient(session, unit, timeoutMs, tuningOf(endpoint, unit));
    const trip = new RoundTripTimer();
    const trace = new WireTrace();
    const wire: WireListener = (...received) => {
      trip.listen(...received);
      if (traces) trace.listen(...received);
    };
    const reported = () => (traces ? { trace: trace.take() } : {});
    const attempts = new Attempts({ clock: this.#clock, signal, retries, mayPass });
    try {
      const options = { wire, ...(signal && { signal }) };
      await attempts.run(() => client.read(table, address, 1, options));
      return scanned(unit, 'answering', { round_trip_us: trip.us, ...reported() });
    } catch (thrown) {
      const error = BusbarError.from(thrown);
      const outcome = outcomeOf(unit, error);
      if (!outcome) throw error;
      const tripUs = outcome.state === 'exception' ? trip.us : null;
      return { ...outcome, round_trip_us: tripUs, ...reported() };
    }
  }
}

/** The cheapest request that most units support, unless the caller specifies another. */
const askedOf = ({ table, address, reference }: ScanRequest): NamedItems =>
  reference === undefined
    ? { table: table ?? 'holding', address: address ?? 0 }
    : { reference, ...(table && { table }), ...(address !== undefined && { address }) };

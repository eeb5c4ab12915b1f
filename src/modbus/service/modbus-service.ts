import type { Clock } from '../../base/clock/clock.ts';
import type { ErrorRecord } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { PollService } from '../client/poll-service.ts';
import { SessionPool } from '../session/session-pool.ts';
import { ModbusLinks } from './modbus-links.ts';
import { ModbusPolls } from './modbus-polls.ts';
import { ModbusRequests } from './modbus-requests.ts';
import { ModbusScans } from './modbus-scans.ts';
import { ModbusServers, type ReadMap } from './modbus-servers.ts';
import type { ModbusStatus } from './status-record.ts';

interface ModbusServiceOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly mostServers: number;
  /** Reads what a server is to have from a file of the project. */
  readonly readMap: ReadMap;
  /** A server has lost its serial port. */
  readonly onServerLost: (endpoint: string, error: ErrorRecord | null) => void;
  /** It is back, and served again. */
  readonly onServerFound: (endpoint: string) => void;
  readonly onDefect: (thrown: unknown) => void;
}

/** A link without users is kept a little, for callers that ask again and again. */
const keepAliveMs = 5000;
/** What they have counted is shown for longer. */
const remembered = 64;

/** Modbus as the bench thread has it: one pool of sessions for all callers, and servers. */
export class ModbusService {
  readonly #pool: SessionPool;
  readonly polls: ModbusPolls;
  readonly links: ModbusLinks;
  readonly requests: ModbusRequests;
  readonly scans: ModbusScans;
  readonly servers: ModbusServers;

  constructor(options: ModbusServiceOptions) {
    const { clock, scheduler, mostServers, onServerLost, onServerFound, onDefect } = options;
    this.#pool = new SessionPool({ clock, scheduler, keepAliveMs, remembered });
    const polls = new PollService({ clock, scheduler, pool: this.#pool });
    this.polls = new ModbusPolls(polls);
    this.links = new ModbusLinks(this.#pool, polls);
    this.requests = new ModbusRequests(this.#pool, clock);
    this.scans = new ModbusScans(this.#pool, clock);
    this.servers = new ModbusServers({
      clock,
      scheduler,
      capacity: mostServers,
      readMap: options.readMap,
      closeIdle: (key) => this.#pool.closeIdle(key),
      onLost: (endpoint, error) => onServerLost(endpoint, error?.toRecord() ?? null),
      onFound: onServerFound,
      onDefect,
    });
  }

  status(): ModbusStatus {
    const sessions = this.#pool.sessions();
    return {
      sessions: sessions.map(({ units: _, ...record }) => record),
      units: sessions.flatMap(({ endpoint, units }) =>
        units.map((unit) => ({ endpoint, ...unit })),
      ),
      servers: this.servers.records(),
    };
  }

  async close(): Promise<void> {
    this.polls.close();
    this.#pool.close();
    await this.servers.close();
  }
}

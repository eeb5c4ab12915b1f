import { basename } from 'node:path';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { compileIdFilters, type IdPredicate } from '../../frame/id-filter.ts';
import type { OpenSettings } from '../channel-settings.ts';
import type { ChannelSink } from '../channel-sink.ts';
import type { DeviceInfo, DriverContext } from '../driver.ts';
import { PortReporter } from '../port-reporter.ts';
import { deviceLost, portInUse } from '../refusals.ts';
import { serialFailure } from '../serial-device/serial-failure.ts';
import { identifySerialDevice, type SerialIdentity } from '../serial-device/serial-identity.ts';
import { serialNeeds } from '../serial-device/serial-needs.ts';
import { SerialReconnect } from '../serial-device/serial-reconnect.ts';
import { noAnswer, probe, retryTimeoutUs } from './probe.ts';
import { SlcanChannel } from './slcan-channel.ts';
import { type LineEvents, type SlcanAddress, SlcanPort } from './slcan-port.ts';
import {
  isSameDevice,
  isSilent,
  ownSerial,
  type SlcanProfile,
  silentProfile,
} from './slcan-profile.ts';
import { openedSettings, slcanPort } from './slcan-settings.ts';

interface Connection {
  readonly line: SlcanPort;
  readonly profile: SlcanProfile;
  readonly identity: SerialIdentity;
}

interface DeviceError {
  readonly identity: SerialIdentity;
  readonly error: BusbarError;
  readonly needs: string | undefined;
}

export interface DeviceNames {
  readonly sn: string;
  readonly uid: string;
}

/** Start bit, eight data bits, stop bit. */
const bitsPerCharacter = 10;

/** USB and pseudo terminals have no baud rate. */
const isRealLine = (path: string): boolean =>
  !basename(path).startsWith('ttyACM') && !path.startsWith('/dev/pts/');

/** One predicate per filter, to report which one matched. */
const compileEach = ({ filters = [] }: OpenSettings): IdPredicate[] => {
  compileIdFilters(filters);
  return filters.map((filter) => compileIdFilters([filter]));
};

const listenFor = async (line: SlcanPort, timeoutUs?: number): Promise<SlcanProfile> => {
  line.isProbing = true;
  try {
    return await probe(line, timeoutUs);
  } finally {
    line.isProbing = false;
  }
};

/**
 * The adapter at one address. Its port stays open to detect its loss and to keep out other
 * programs.
 */
export class SlcanDevice implements LineEvents {
  readonly address: SlcanAddress;
  readonly #context: Pick<DriverContext, 'clock' | 'scheduler'>;
  #connection: Connection | undefined;
  #error: DeviceError | undefined;
  #connecting: Promise<void> | undefined;
  #channel: SlcanChannel | undefined;
  #isBusy = false;
  #return: SerialReconnect | undefined;
  #names: DeviceNames | undefined;
  #knownAs: DeviceInfo | undefined;

  constructor(address: SlcanAddress, context: Pick<DriverContext, 'clock' | 'scheduler'>) {
    this.address = address;
    this.#context = context;
  }

  get knownSn(): string | undefined {
    return this.#knownAs?.sn;
  }

  get isInUse(): boolean {
    return this.#channel !== undefined || this.#isBusy;
  }

  get knownUid(): string | undefined {
    return this.#knownAs?.uid;
  }

  async look(): Promise<void> {
    if (!this.#connection && !this.#return) await this.#connectOnce();
  }

  /** Candidate serial numbers, best first: its own, its USB port's, the port's name. */
  get serials(): readonly string[] {
    const found = this.#connection ?? this.#error;
    if (!found) return [];
    const own = 'profile' in found ? ownSerial(found.profile) : undefined;
    const { sn, ownName } = found.identity;
    const names = [sn, ownName.sn];
    return own === undefined ? names : [own, ...names];
  }

  get uids(): readonly string[] {
    const found = this.#connection ?? this.#error;
    return found ? [found.identity.uid, found.identity.ownName.uid] : [];
  }

  describe(names = this.#names): DeviceInfo | undefined {
    this.#names = names;
    const info = this.#info();
    if (info) this.#knownAs = info;
    return info;
  }

  async open(asked: OpenSettings, sink: ChannelSink): Promise<SlcanChannel> {
    const sn = this.knownSn ?? this.address.text;
    if (this.#channel || this.#isBusy) throw portInUse(sn, 0);
    if (!this.#connection && !this.#return) await this.#connectOnce();
    if (this.#error) throw this.#error.error;
    const connection = await this.#reprobe();
    if (!connection) throw deviceLost(sn);
    if (isSilent(connection.profile) && this.address.answers) {
      throw noAnswer(this.address.named);
    }
    if (this.#channel || this.#isBusy) throw portInUse(sn, 0);
    const channel = this.#createChannel(connection, asked, sink, sn);
    this.#channel = channel;
    this.#isBusy = true;
    try {
      await channel.start();
      return channel;
    } catch (thrown) {
      await channel.close().catch(() => undefined);
      this.#channel = undefined;
      throw thrown;
    } finally {
      this.#isBusy = false;
    }
  }

  async close(): Promise<void> {
    this.#return?.stop();
    this.#return = undefined;
    await this.#channel?.close();
    await this.#connecting?.catch(() => undefined);
    this.#connection?.line.close();
    this.#connection = undefined;
  }

  frame: LineEvents['frame'] = (frame, nowUs) => this.#channel?.frame(frame, nowUs);
  taken: LineEvents['taken'] = (nowUs) => this.#channel?.taken(nowUs);
  refused: LineEvents['refused'] = (nowUs) => this.#channel?.refused(nowUs);
  unanswered: LineEvents['unanswered'] = (frames, nowUs) =>
    this.#channel?.unanswered(frames, nowUs);
  state: LineEvents['state'] = (state, nowUs) => this.#channel?.state(state, nowUs);
  errors: LineEvents['errors'] = (letters, nowUs) => this.#channel?.errors(letters, nowUs);
  drained: LineEvents['drained'] = (nowUs) => this.#channel?.drained(nowUs);

  closed(): void {
    if (this.#connection) this.#lose();
  }

  #info(): DeviceInfo | undefined {
    const found = this.#connection ?? this.#error;
    if (!found) return undefined;
    const { identity } = found;
    const profile = 'profile' in found ? found.profile : silentProfile;
    const needs = 'needs' in found ? found.needs : undefined;
    return {
      sn: this.#names?.sn ?? identity.sn,
      uid: this.#names?.uid ?? identity.uid,
      name: identity.name,
      firmwareVersion: profile.version === '' ? 'unknown' : profile.version,
      ...(needs !== undefined && { needs }),
      address: this.address.text,
      ports: [slcanPort(profile)],
    };
  }

  #createChannel(
    { line, profile, identity }: Connection,
    asked: OpenSettings,
    sink: ChannelSink,
    sn: string,
  ): SlcanChannel {
    const { clock, scheduler } = this.#context;
    const { baudRate } = this.address.settings;
    return new SlcanChannel({
      sn,
      profile,
      line,
      scheduler,
      wanted: openedSettings(profile, asked),
      filters: compileEach(asked),
      reporter: new PortReporter(sink, clock.unixOffsetUs),
      nowUs: () => clock.monotonicUs(),
      characterUs: isRealLine(identity.path) ? (bitsPerCharacter * 1e6) / baudRate : 0,
      onSilence: () => {
        // Searched for as if unplugged, because it may have been turned off.
        this.#connection?.line.close();
        this.#lose();
      },
      onClose: () => this.#release(),
    });
  }

  /** A board that resets on opening may have been silent for that reason. */
  async #reprobe(): Promise<Connection | undefined> {
    const connection = this.#connection;
    if (!connection || !isSilent(connection.profile)) return connection;
    const profile = await listenFor(connection.line, retryTimeoutUs);
    if (this.#connection === connection) this.#connection = { ...connection, profile };
    return this.#connection;
  }

  #release(): void {
    this.#channel = undefined;
    this.#return?.stop();
    this.#return = undefined;
  }

  #connectOnce(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<void> {
    this.#error = undefined;
    const identity = await identifySerialDevice(this.address.named);
    if (!identity) return;
    try {
      this.#connection = await this.#connectTo(identity);
    } catch (thrown) {
      const needs = await serialNeeds(identity.path);
      this.#error = { identity, error: BusbarError.from(thrown), needs };
    }
  }

  async #connectTo(identity: SerialIdentity): Promise<Connection> {
    const { clock, scheduler } = this.#context;
    const { address } = this;
    const { path } = identity;
    const line = await SlcanPort.open({ clock, scheduler, address, path, events: this });
    try {
      const profile = await listenFor(line);
      if (line.isOver) throw serialFailure(address.named, 'hung_up');
      return { line, profile, identity };
    } catch (thrown) {
      line.close();
      throw thrown;
    }
  }

  #lose(): void {
    const lost = this.#connection;
    this.#connection = undefined;
    this.#channel?.lose();
    if (!lost || !this.#channel) return;
    this.#return?.stop();
    this.#return = new SerialReconnect({
      named: this.address.named,
      clock: this.#context.clock,
      attempt: () => this.#comeBack(lost),
    });
  }

  async #comeBack(lost: Connection): Promise<boolean> {
    await this.#connectOnce();
    const connection = this.#connection;
    const channel = this.#channel;
    this.#error = undefined;
    if (!connection || !channel) return false;
    const isSame =
      isSameDevice(connection.profile, lost.profile) &&
      connection.identity.uid === lost.identity.uid;
    try {
      if (!isSame) throw deviceLost(channel.sn);
      await channel.comeBack(connection.line);
      this.#return = undefined;
      return true;
    } catch {
      channel.returnFailed();
      connection.line.close();
      this.#connection = undefined;
      return false;
    }
  }
}

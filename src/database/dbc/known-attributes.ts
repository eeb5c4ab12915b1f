import { toDecimal } from '../decimal.ts';
import type { Attributes, AttributeValue, DecimalText, Message } from '../model.ts';
import type { AttributeLookup } from './attribute-lookup.ts';
import type { DbcAttributeOwner } from './specifics.ts';

export const longSymbols: Readonly<Partial<Record<DbcAttributeOwner, string>>> = {
  node: 'SystemNodeLongSymbol',
  message: 'SystemMessageLongSymbol',
  signal: 'SystemSignalLongSymbol',
  environment_variable: 'SystemEnvVarLongSymbol',
};

export const cycleTimeAttribute = 'GenMsgCycleTime';
export const startValueAttribute = 'GenSigStartValue';
export const frameFormatAttribute = 'VFrameFormat';
export const bitRateSwitchAttribute = 'CANFD_BRS';

/** Names of VFrameFormat by number, for files that define it as an integer. */
export const frameFormats: readonly string[] = [
  'StandardCAN',
  'ExtendedCAN',
  'reserved',
  'J1939PG',
  ...Array<string>(10).fill('reserved'),
  'StandardCAN_FD',
  'ExtendedCAN_FD',
];

const maxClassic = 8;
const maxFd = 64;

const textOf = (value: AttributeValue | null): string =>
  value === null ? '' : value.kind === 'number' ? value.number : value.text;

export class KnownAttributes {
  readonly #lookup: AttributeLookup;
  readonly #isFdBus: boolean;
  readonly #isJ1939Bus: boolean;

  constructor(lookup: AttributeLookup, databaseAttributes: Attributes) {
    this.#lookup = lookup;
    const ofDatabase = (name: string): string =>
      textOf(lookup.valueFor('database', name, databaseAttributes));
    this.#isFdBus = /^can[ _-]?fd$/i.test(ofDatabase('BusType').trim());
    this.#isJ1939Bus = /j1939/i.test(ofDatabase('ProtocolType'));
  }

  /** Zero means that the message is not cyclic. */
  cycleTimeMs(attributes: Attributes): number | null {
    const value = this.#lookup.valueFor('message', cycleTimeAttribute, attributes);
    const time = Number(textOf(value));
    return Number.isFinite(time) && time > 0 ? time : null;
  }

  initialRaw(attributes: Attributes): DecimalText | null {
    const value = this.#lookup.valueFor('signal', startValueAttribute, attributes);
    return value === null ? null : toDecimal(textOf(value).trim());
  }

  frameFormat(attributes: Attributes): string {
    const value = this.#lookup.valueFor('message', frameFormatAttribute, attributes);
    if (value?.kind === 'number') return frameFormats[Number(value.number)] ?? '';
    return textOf(value);
  }

  isJ1939(attributes: Attributes): boolean {
    const format = this.frameFormat(attributes);
    return format === '' ? this.#isJ1939Bus : /^j1939pg$/i.test(format.trim());
  }

  /** `isAssumed` means that only the message length indicates CAN FD. */
  frameKind(
    attributes: Attributes,
    length: number,
  ): Pick<Message, 'fd' | 'brs'> & { isAssumed: boolean } {
    const format = this.frameFormat(attributes);
    const isMarked = format === '' ? this.#isFdBus : format.endsWith('CAN_FD');
    const needsFd = length > maxClassic && length <= maxFd && !this.isJ1939(attributes);
    const fd = isMarked || needsFd;
    return { fd, brs: fd && this.#switchesBitRate(attributes), isAssumed: fd && !isMarked };
  }

  /** A network without the attribute is CAN FD throughout and switches the bit rate. */
  #switchesBitRate(attributes: Attributes): boolean {
    const value = this.#lookup.valueFor('message', bitRateSwitchAttribute, attributes);
    return value === null || /^(?:1|yes|true|on)$/i.test(textOf(value));
  }
}

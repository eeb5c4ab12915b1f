import { computed, signal } from '@preact/signals';
import { hexByte } from '../../../../src/frame/hex-bytes.ts';
import { type Bench, call } from '../../api/client.ts';
import { bench } from '../../state/bench.ts';
import { rememberedJson } from '../../storage/remembered.ts';
import { chosenEcu } from './diagnostics-state.ts';
import { IdentifierReader, type Known, keyOf, type Reading } from './identifier-reader.ts';
import { limitMs } from './request-history.ts';

export interface Identifier {
  /** Four hex digits. */
  readonly did: string;
  readonly name: string | null;
  /** Length and codec, as far as they are known. */
  readonly form: string;
  /** Added here, so that it can be removed here. */
  readonly isAdded: boolean;
}

type EcuEntry = Bench['ecus'][string];

const formOf = (length: number | undefined, codec: unknown): string => {
  const kind = typeof codec === 'object' ? 'number' : (codec ?? 'hex');
  return length === undefined ? String(kind) : `${kind}, ${length} B`;
};

interface Definition {
  readonly name?: string;
  readonly length?: number;
  readonly codec?: unknown;
}

/** Identifiers of the bench file. Those in a file of their own are found by name when read. */
export const definedIn = (entry: EcuEntry | undefined): readonly Identifier[] =>
  typeof entry?.dids !== 'object'
    ? []
    : Object.entries(entry.dids as Readonly<Record<string, Definition>>).map(
        ([did, { name = null, length, codec }]) => ({
          ...{ did: did.toUpperCase(), name, form: formOf(length, codec), isAdded: false },
        }),
      );

type Added = Readonly<Record<string, readonly string[]>>;

const areAdded = (value: unknown): value is Added =>
  typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray);

const keptAdded = rememberedJson<Added>('busbar.diagnostics.dids', {}, areAdded);
const added = signal(keptAdded.get());

const setAdded = (ecu: string, dids: readonly string[]): void => {
  added.value = { ...added.peek(), [ecu]: dids };
  keptAdded.set(added.peek());
};

export const addIdentifier = (ecu: string, did: string): void =>
  setAdded(ecu, [...new Set([...(added.peek()[ecu] ?? []), did])]);

export const removeIdentifier = (ecu: string, did: string): void => {
  setAdded(
    ecu,
    (added.peek()[ecu] ?? []).filter((each) => each !== did),
  );
  setLive(ecu, did, false);
};

/** Those of the bench file, followed by those that were added here. */
export const identifiersOf = (
  defined: readonly Identifier[],
  extra: readonly string[],
  nameOf: (did: string) => string | null,
): readonly Identifier[] => [
  ...defined,
  ...extra
    .filter((did) => !defined.some((each) => each.did === did))
    .map((did) => ({ did, name: nameOf(did), form: '', isAdded: true })),
];

const textOf = (nrc: number | null, name: string | null): string =>
  `0x${hexByte(nrc ?? 0)} ${name ?? ''}`;

const readOne = async (ecu: string, did: string): Promise<Reading> => {
  const { result, nrc, nrc_name } = await call('uds.read', { ecu, dids: [did] }, { limitMs });
  const [value] = result?.values ?? [];
  if (!value) throw new Error(textOf(nrc, nrc_name));
  return value;
};

export const reader = new IdentifierReader({ read: readOne, now: Date.now });

const knownOf = (ecu: string, did: string): Known | undefined =>
  reader.known.value.get(keyOf(ecu, did));

export const identifiers = computed(() => {
  const ecu = chosenEcu.value;
  if (ecu === null) return [];
  const nameOf = (did: string): string | null => knownOf(ecu, did)?.reading?.name ?? null;
  const defined = definedIn(bench.data.value?.ecus[ecu]);
  return identifiersOf(defined, added.value[ecu] ?? [], nameOf);
});

export interface IdentifierRow extends Identifier {
  readonly ecu: string;
  readonly known: Known | null;
  readonly isLive: boolean;
}

/** Values that are read once a second; more would keep an ECU busy with nothing else. */
export const maxLive = 16;

const live = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
const liveOf = (ecu: string): ReadonlySet<string> => live.value.get(ecu) ?? new Set();

export const setLive = (ecu: string, did: string, isLive: boolean): void => {
  const chosen = new Set(live.peek().get(ecu));
  if (!isLive) chosen.delete(did);
  else if (chosen.size < maxLive) chosen.add(did);
  live.value = new Map(live.peek()).set(ecu, chosen);
};

export const liveDids = computed<readonly string[]>(() => {
  const ecu = chosenEcu.value;
  return ecu === null ? [] : [...liveOf(ecu)];
});

export const rows = computed<readonly IdentifierRow[]>(() => {
  const ecu = chosenEcu.value;
  return ecu === null
    ? []
    : identifiers.value.map((identifier) => ({
        ...{ ...identifier, ecu, known: knownOf(ecu, identifier.did) ?? null },
        isLive: liveOf(ecu).has(identifier.did),
      }));
});

/** Four hex digits, or a name of the identifier file; null for neither. */
export const readDid = (text: string): string | null => {
  const typed = text.trim();
  const digits = /^(?:0x)?([0-9a-f]{1,4})$/i.exec(typed)?.[1];
  if (digits !== undefined) return digits.toUpperCase().padStart(4, '0');
  return /^[a-z_][\w.-]{0,63}$/i.test(typed) ? typed : null;
};

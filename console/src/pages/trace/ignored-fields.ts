import { bitOf } from '../../../../src/database/layout.ts';
import { protectedFields } from '../../../../src/e2e/profiles.ts';
import type { DetectedField } from '../../analysis/detect-fields.ts';
import type { BitIndex } from '../../codec/signal-bits.ts';
import { formatCount } from '../../format/figures.ts';
import type { GatewayMessage } from '../../trace-core/message-names.ts';

export interface IgnoredField {
  readonly kind: DetectedField['kind'] | 'protection';
  readonly bits: readonly BitIndex[];
  /** Why it is one: its name, settings of a gateway, or what was detected in how many frames. */
  readonly reason: string;
}

interface NamedSignal {
  readonly name: string;
  readonly bits: readonly BitIndex[];
}

const checksumWords = new Set(['crc', 'checksum', 'chksum', 'chk', 'cks', 'cs']);
const sequenceWords = new Set(['alive', 'rolling', 'sequence', 'seq', 'sqc', 'bz', 'msgcnt']);
const counterWords = new Set(['counter', 'cnt', 'ctr']);
/** Longer ones count things, such as trips. */
const maxCounterBits = 8;

/** `E2E_AliveCounter` → e, alive, counter */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

export const fieldByName = ({ name, bits }: NamedSignal): IgnoredField | null => {
  const words = wordsOf(name);
  const reason = `signal ${name}`;
  if (words.some((word) => checksumWords.has(word))) return { kind: 'checksum', bits, reason };
  const isCounter =
    words.some((word) => sequenceWords.has(word)) ||
    (bits.length <= maxCounterBits && words.some((word) => counterWords.has(word)));
  return isCounter ? { kind: 'counter', bits, reason } : null;
};

const unitOf = ({ kind }: DetectedField): string => (kind === 'counter' ? 'steps' : 'frames');

const detected = (field: DetectedField): IgnoredField => ({
  kind: field.kind,
  bits: field.bits,
  reason: `detected: ${field.rule}, ${formatCount(field.agreed)} of ${formatCount(field.of)} ${unitOf(field)}`,
});

/** Counter, checksum and data ID of a message that a gateway protects end to end. */
export const protectionField = ({
  instance,
  name,
  protection,
}: GatewayMessage): IgnoredField | null => {
  if (!protection?.settings) return null;
  const bits = protectedFields(protection.settings).flatMap((place) =>
    Array.from(
      { length: place.length },
      (_, index) => 8 * protection.first_byte + bitOf(place, index),
    ),
  );
  return { kind: 'protection', bits, reason: `E2E settings of ${instance}/${name}` };
};

/** Counters and checksums by name, then those of the protection and detected ones in other bits. */
export const ignoredFields = (
  signals: readonly NamedSignal[],
  protection: IgnoredField | null,
  found: readonly DetectedField[],
): readonly IgnoredField[] => {
  const named = signals.flatMap((signal) => fieldByName(signal) ?? []);
  const known = new Set<BitIndex>();
  return [...named, ...(protection ? [protection] : []), ...found.map(detected)].filter(
    ({ bits }) => {
      const isKnown = bits.every((bit) => known.has(bit));
      for (const bit of bits) known.add(bit);
      return !isKnown;
    },
  );
};

import { stepsOf } from '../../codecs/bit-field.ts';
import type { PlainDecoding } from '../../codecs/decode-linear.ts';
import type { WireLayout } from '../../codecs/wire-field.ts';
import { generateFunction } from './generate-function.ts';
import type { ValueStoreEmitter } from './value-store-emitter.ts';

interface DecodedBinding {
  readonly signal: number;
  readonly selector: object | null;
  readonly validityBit: object | null;
  readonly staleUs: number;
  readonly place: WireLayout | null;
  readonly decoder: { readonly plain: PlainDecoding | null };
}

export type Observe = (bytes: Uint8Array, at: number) => boolean;

/** Raw values that V8 stores as small integers. */
export const smallBits = 30;

/** Maximum bindings per function, because V8 does not optimize very large functions. */
const maxBindings = 64;

const rawText = ({ kind, start, bits, isMotorola }: WireLayout): string => {
  const steps = stepsOf(start, bits, isMotorola).map(({ byte, shift, mask, place }) => {
    const part = `(bytes[at + ${byte}] >> ${shift} & ${mask})`;
    return `${part} << ${place}`;
  });
  const above = 32 - bits;
  const unsigned = steps.join(' | ');
  return kind === 'signed' ? `(${unsigned}) << ${above} >> ${above}` : unsigned;
};

const linearText = ({ multiplier, addend, divisor }: PlainDecoding['scale']): string =>
  `(raw * ${multiplier} + ${addend}) / ${divisor}`;

const isPlain = (
  { validityBit, selector }: DecodedBinding,
  { bits }: WireLayout,
  plain: PlainDecoding,
): boolean => {
  if (selector !== null || validityBit !== null || bits > smallBits) return false;
  const isExact = plain.scale.limit >= 2 ** smallBits;
  return isExact && (plain.type === 'float64' || plain.scale.divisor === 1);
};

const bindingText = (
  name: string,
  signal: number,
  place: WireLayout,
  plain: PlainDecoding,
  stores: ValueStoreEmitter,
): string => {
  const doubts = plain.specials.map((raw) => `raw === ${raw}`);
  if (Number.isFinite(plain.least)) doubts.push(`raw < ${plain.least}`);
  if (Number.isFinite(plain.max)) doubts.push(`raw > ${plain.max}`);
  if (Number.isFinite(plain.leastValue)) doubts.push(`value < ${plain.leastValue}`);
  if (Number.isFinite(plain.maxValue)) doubts.push(`value > ${plain.maxValue}`);
  return `{
const raw = ${rawText(place)};
const value = ${linearText(plain.scale)};
if (${doubts.join(' || ') || 'false'}) ${name}.observe(bytes, at);
else {
  ${name}.isStale = false;
  ${name}.isDown = false;
  if (${name}.seen !== 'good') ${name}.seen = 'good';
  ${stores.text(signal)}
}
}`;
};

/**
 * Compiles the decoding of a message without an E2E check. Returns null if that would not be
 * faster.
 */
export const generateObserve = (
  bindings: readonly DecodedBinding[],
  stores: ValueStoreEmitter,
): Observe | null => {
  if (bindings.length > maxBindings) return null;
  const selectors = new Set<object | null>(bindings.map(({ selector }) => selector));
  let plainCount = 0;
  const texts = bindings.map((binding, index) => {
    const name = `binding${index}`;
    const { place, signal, decoder } = binding;
    const { plain } = decoder;
    const isKnown = plain !== null && place !== null && !selectors.has(binding);
    if (!isKnown || !isPlain(binding, place, plain)) {
      return `${name}.observe(bytes, at);`;
    }
    plainCount += 1;
    return bindingText(name, signal, place, plain, stores);
  });
  if (plainCount === 0) return null;
  const aging = bindings.flatMap(({ staleUs }, index) =>
    staleUs > 0 ? [`binding${index}.heapIndex`] : [],
  );
  const body = `const us = time.observedUs;\n${texts.join('\n')}
return (${aging.join(' | ') || '0'}) >= 0;`;
  const names = Object.fromEntries(
    bindings.map((binding, index) => [`binding${index}`, binding] as const),
  );
  return generateFunction<Observe>('bytes, at', body, { ...stores.constants, ...names });
};

import type { SignalType } from '../../project/tables/signals.ts';
import { outputRange } from '../../transforms/transform-program.ts';
import { generateFunction } from './generate-function.ts';
import type { ValueStoreEmitter } from './value-store-emitter.ts';

export type Evaluate = () => void;

export interface EvaluatedMapping {
  expiresAtUs: number;
  evaluateSlow(): void;
}

/** A linear mapping of one signal: output = k × input + b. */
export interface LineMapping {
  readonly input: number;
  readonly output: number;
  readonly k: number;
  readonly b: number;
  readonly ttlUs: number;
  readonly outputType: SignalType;
}

const max = Number.MAX_SAFE_INTEGER;

const resultText = (type: SignalType): string => {
  const range = outputRange(type);
  if (range === null) return 'value - value === 0';
  const [least, end] = range;
  const limits = `value >= ${Math.max(least, -max)} && value <= ${Math.min(end - 1, max)}`;
  return `${limits} && Math.floor(value) === value`;
};

/** Compiles a linear mapping. All other cases fall back to the mapping. */
export const generateEvaluate = (
  mapping: EvaluatedMapping,
  { input, output, k, b, ttlUs, outputType }: LineMapping,
  stores: ValueStoreEmitter,
): Evaluate | null => {
  if (!stores.isDynamic(input)) return null;
  const isWhole = !stores.isFloat(input);
  const isExact = isWhole
    ? `product >= ${-max} && product <= ${max} && value >= ${-max} && value <= ${max} && `
    : '';
  const expiresText =
    ttlUs === Number.POSITIVE_INFINITY ? '' : `mapping.expiresAtUs = us + ${ttlUs + 1};`;
  const body = `
const us = observedUs[${input}];
if (valid[${input}] === 1 && wide[${input}] === null && time.nowUs - us <= ${ttlUs}) {
  const product = ${k} * numbers[${input}];
  const value = product + ${b} + 0;
  if (${isExact}${resultText(outputType)}) {
    mapping.expiresAtUs = Infinity;
    ${expiresText}
    time.observedUs = us;
    ${stores.text(output)}
    return;
  }
}
mapping.evaluateSlow();`;
  return generateFunction<Evaluate>('', body, { ...stores.constants, mapping });
};

import { bytesFor } from '../../layout.ts';
import type { RawKind, ValueText } from '../../model.ts';
import type { DraftMessage, DraftSignal, SignalNotes } from '../read/draft.ts';
import { type DbcProblems, shown } from '../read/problems.ts';

const longestNumber = 64;

/** Integer or float, as SIG_VALTYPE_ says if the length allows it. */
export const rawKindOf = (
  signal: DraftSignal,
  notes: SignalNotes | undefined,
  problems: DbcProblems,
): RawKind => {
  const integer: RawKind = signal.isSigned ? 'signed' : 'unsigned';
  const type = notes?.valueType ?? 0;
  if (type === 0) return integer;
  const expected = type === 1 ? 32 : type === 2 ? 64 : 0;
  if (expected === signal.length) return expected === 32 ? 'float32' : 'float64';
  const isFloat = expected > 0 && (signal.length === 32 || signal.length === 64);
  problems.warn(
    'value_type_mismatch',
    notes?.offset ?? signal.at,
    `Value type ${type} does not fit the ${signal.length} bits of signal ${shown(signal.name)}`,
    isFloat ? 'taken as a float of that length' : 'taken as an integer',
  );
  if (!isFloat) return integer;
  return signal.length === 32 ? 'float32' : 'float64';
};

/** Reports what is doubtful about a signal by itself. */
export const checkSignal = (
  message: DraftMessage,
  signal: DraftSignal,
  values: readonly ValueText[],
  problems: DbcProblems,
): void => {
  const { at, startBit, length, isMotorola, factor, minimum, maximum } = signal;
  const byteOrder = isMotorola ? 'motorola' : 'intel';
  const bytes = bytesFor({ startBit, length, byteOrder });
  if (bytes > message.length) {
    problems.warn(
      'signal_beyond_message',
      at,
      `Signal ${shown(signal.name)} needs ${bytes} bytes, ${shown(message.name)} has ${message.length}`,
      'kept; only a longer frame brings it',
    );
  }
  if (Number(factor) === 0) {
    problems.warn('factor_zero', at, `Signal ${shown(signal.name)} has the factor 0`, 'kept');
  }
  if (minimum !== null && maximum !== null && minimum !== maximum) {
    if (Number(minimum) > Number(maximum)) {
      problems.warn(
        'limits_reversed',
        at,
        `The minimum of signal ${shown(signal.name)} is above its maximum`,
        'kept',
      );
    }
  }
  if (values.length > 0 && length <= longestNumber) checkValues(signal, values, problems);
};

/** Files write negative values of signed signals with and without their sign. */
const checkValues = (
  { at, name, length, isSigned }: DraftSignal,
  values: readonly ValueText[],
  problems: DbcProblems,
): void => {
  const largest = 2n ** BigInt(length) - 1n;
  const smallest = isSigned ? -(2n ** BigInt(length - 1)) : 0n;
  const stray = values.find(({ raw }) => raw > largest || raw < smallest);
  if (stray === undefined) return;
  problems.warn(
    'value_out_of_range',
    at,
    `The text ${shown(stray.text)} belongs to ${stray.raw}, which ${shown(name)} cannot have`,
    'kept',
  );
};

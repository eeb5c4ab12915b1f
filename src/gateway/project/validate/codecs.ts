import { compareDecimals, parseDecimal } from '../../../base/decimal/decimal.ts';
import { checkE2eFields } from '../../../e2e/check-fields.ts';
import type { RowOf } from '../project.ts';
import type { LinearCodec, NativeCodec } from '../tables/codecs.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';
import { impliedBitsOf, rawError } from './value-rules.ts';

type PluginRow = RowOf<'plugins'>;

const folder = 'plugins';
const processorFields = ['inputs', 'outputs', 'send_tasks', 'trigger', 'period_ms'] as const;

/** Checks the path as written. Links are checked when the project is opened. */
const isBelowFolder = (path: string): boolean => {
  const [first, ...others] = path.split('/');
  if (first !== folder || others.length === 0 || /[\\\0]/.test(path)) return false;
  return others.every((part) => part !== '' && part !== '.' && part !== '..');
};

const checkTrigger = (
  { trigger = 'on_input', inputs, period_ms }: PluginRow,
  index: number,
  report: Report,
): void => {
  if (trigger === 'on_input') {
    if (inputs === undefined) {
      const error = 'is required for the trigger on_input; without inputs it never runs';
      report(index, 'inputs', 'missing_field', error);
    }
    if (period_ms !== undefined) {
      report(index, 'period_ms', 'not_applicable', 'is only for the trigger period');
    }
  } else if (period_ms === undefined) {
    report(index, 'period_ms', 'missing_field', 'is required for the trigger period');
  }
};

const checkTasks = (
  links: ProjectLinks,
  { send_tasks = [] }: PluginRow,
  index: number,
  report: Report,
): void => {
  const seen = new Set<string>();
  send_tasks.forEach((id, place) => {
    const field = `send_tasks[${place}]`;
    if (seen.has(id)) {
      report(index, field, 'duplicate_value', `is given twice: ${quoted(id)}; keep one`);
    }
    seen.add(id);
    if ((links.draft.tables.tx_tasks.get(id)?.mode ?? 'request') === 'request') return;
    const error = `must be a task in mode request; ${quoted(id)} sends signals`;
    report(index, field, 'wrong_kind', error);
  });
};

export const checkPlugins = (links: ProjectLinks): void => {
  const report = links.reporter('plugins');
  links.draft.tables.plugins.rows.forEach((plugin, index) => {
    if (!isBelowFolder(plugin.library)) {
      const error = `must be a relative path below ${folder}/, without . and .. parts, such as ${folder}/filter.so`;
      report(index, 'library', 'unsafe_path', error);
    }
    if (plugin.kind === 'processor') {
      checkTrigger(plugin, index, report);
      checkTasks(links, plugin, index, report);
      return;
    }
    for (const field of processorFields) {
      if (plugin[field] === undefined) continue;
      report(index, field, 'not_applicable', 'must be omitted: only processors have it');
    }
  });
};

const checkBits = (codec: LinearCodec, index: number, report: Report): void => {
  const implied = impliedBitsOf(codec);
  if (implied === undefined) {
    if (codec.bit_length !== undefined) return;
    report(index, 'bit_length', 'missing_field', `is required for a raw that is ${codec.raw}`);
  } else if (codec.bit_length !== undefined && codec.bit_length !== implied) {
    const error = `must be ${implied} for raw type ${codec.raw}, or be omitted`;
    report(index, 'bit_length', 'size_mismatch', error);
  }
};

const checkLimits = (codec: LinearCodec, index: number, report: Report): void => {
  const { raw_min, raw_max } = codec;
  let areRaws = true;
  for (const field of ['raw_min', 'raw_max', 'invalid_raw'] as const) {
    const text = codec[field];
    const error = text === undefined ? undefined : rawError(codec, text);
    if (!error) continue;
    report(index, field, 'invalid_value', error);
    areRaws = false;
  }
  if (raw_min === undefined || raw_max === undefined || !areRaws) return;
  const [least, max] = [parseDecimal(raw_min), parseDecimal(raw_max)];
  if (least && max && compareDecimals(least, max) > 0) {
    report(index, 'raw_min', 'conflicting_fields', `must not be more than raw_max, ${raw_max}`);
  }
};

const checkSpecial = (codec: LinearCodec, index: number, report: Report): void => {
  const seen = new Set<number | bigint>();
  codec.special?.forEach(({ raw }, place) => {
    const field = `special[${place}].raw`;
    const error = rawError(codec, raw);
    if (error) {
      report(index, field, 'invalid_value', error);
      return;
    }
    const isWhole = /^-?\d+$/.test(raw);
    const value = isWhole && codec.raw !== 'float32' ? BigInt(raw) : Number(raw);
    if (seen.has(value)) report(index, field, 'duplicate_value', 'has a state already; keep one');
    seen.add(value);
  });
};

const checkNative = (
  links: ProjectLinks,
  { plugin: id, bit_length }: NativeCodec,
  index: number,
  report: Report,
): void => {
  const plugin = links.draft.tables.plugins.get(id);
  if (plugin === undefined) return;
  if (plugin.kind !== 'codec' && plugin.kind !== 'e2e') {
    const error = `must be a codec or e2e plugin, not ${plugin.kind}`;
    report(index, 'plugin', 'wrong_kind', error);
  } else if (plugin.kind === 'e2e' && bit_length !== undefined) {
    const error = 'applies to codec plugins only: protection always covers the whole frame';
    report(index, 'bit_length', 'not_applicable', error);
  } else if (plugin.kind === 'codec' && bit_length === undefined) {
    const error = 'is required for a codec plugin: it defines its bits in the frame';
    report(index, 'bit_length', 'missing_field', error);
  }
};

export const checkCodecs = (links: ProjectLinks): void => {
  const report = links.reporter('codecs');
  links.draft.tables.codecs.rows.forEach((codec, index) => {
    if (codec.kind === 'native') checkNative(links, codec, index, report);
    else if (codec.kind === 'e2e') {
      checkE2eFields(codec, (field, code, error) => report(index, field ?? 'kind', code, error));
    } else {
      checkBits(codec, index, report);
      if (codec.factor === 0) report(index, 'factor', 'out_of_range', 'must not be 0');
      checkLimits(codec, index, report);
      checkSpecial(codec, index, report);
    }
  });
};

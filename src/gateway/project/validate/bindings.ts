import type { RowOf } from '../project.ts';
import type { CodecRow } from '../tables/codecs.ts';
import { checkBindingBits } from './binding-bits.ts';
import { checkBindingRegisters } from './binding-registers.ts';
import { hasOneOf } from './one-of.ts';
import type { ProjectLinks, Report } from './project-links.ts';

type BindingRow = RowOf<'bindings'>;

const targets = ['message', 'pdu', 'resource'] as const;

/** The codec of a binding, if it is one for values. */
const codecOf = (
  links: ProjectLinks,
  binding: BindingRow,
  index: number,
  report: Report,
): CodecRow | undefined => {
  const { codecs, plugins } = links.draft.tables;
  const codec = codecs.get(binding.codec);
  if (codec?.kind === 'e2e') {
    const flaw = 'must be linear or native: an e2e codec protects, it holds no value';
    report(index, 'codec', 'wrong_kind', flaw);
    return undefined;
  }
  if (codec?.kind !== 'native') return codec;
  if (plugins.get(codec.plugin)?.kind === 'e2e') {
    report(index, 'codec', 'wrong_kind', 'must have a plugin of the kind codec, not e2e');
    return undefined;
  }
  return codec;
};

/** Bindings one by one: where they lie, and with which codec. */
export const checkBindings = (links: ProjectLinks): void => {
  const report = links.reporter('bindings');
  links.draft.tables.bindings.rows.forEach((binding, index) => {
    const hasTarget = hasOneOf(binding, targets, index, report);
    const codec = codecOf(links, binding, index, report);
    if (!hasTarget) return;
    if (binding.resource === undefined) checkBindingBits(links, binding, codec, index, report);
    else checkBindingRegisters(links, binding, codec, index, report);
  });
};

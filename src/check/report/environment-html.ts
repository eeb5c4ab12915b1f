import type { CheckEnvironment } from '../check-record.ts';
import { escaped } from './markup.ts';

const cell = (value: string | number | null): string =>
  `<td>${value === null ? '–' : escaped(String(value))}</td>`;

const table = (heads: readonly string[], rows: readonly (string | number | null)[][]): string => {
  if (rows.length === 0) return '';
  const lines = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`);
  return `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>
${lines.join('\n')}
</tbody></table>`;
};

/** Everything that is needed to repeat the checks. */
export const environmentHtml = (environment: CheckEnvironment): string => {
  const { busbar_version, node_version, platform, trace, channels, databases } = environment;
  return `<section>
<h2>Environment</h2>
<p>Busbar ${escaped(busbar_version)}, Node ${escaped(node_version)}, ${escaped(platform)}</p>
${table(
  ['trace', 'format', 'bytes', 'SHA-256'],
  trace ? [[trace.file, trace.format, trace.size, trace.sha256]] : [],
)}
${table(
  ['channel', 'bus', 'name', 'selector', 'mode', 'bit rate', 'data bit rate'],
  channels.map(({ channel, bus, name, selector, mode, bitrate, data_bitrate }) => [
    ...[channel, bus, name, selector, mode, bitrate, data_bitrate],
  ]),
)}
${table(
  ['database', 'channel', 'bytes', 'SHA-256'],
  databases.map(({ file, channel, size, sha256 }) => [file, channel ?? 'all', size, sha256]),
)}
</section>`;
};

import type { LooseProject } from '../../../src/gateway/project/testing/coolant-project.ts';

const messages = 30;
const signalsPerMessage = 32;
const waveforms = 80;

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** The messages of one direction, each full of 16-bit signals. */
const messageRows = (name: string, firstId: number, more: object): object[] =>
  range(messages).map((m) => ({
    ...{ id: `${name}${m}`, endpoint: 'bus', can_id: firstId + m, fd: true, length: 64, ...more },
  }));

/**
 * A project of 2,000 signals on the network `bus`: most come in messages `In<n>`, go through a mapping and are
 * sent in messages `Out<n>`; the others are waveforms, which change twenty times a second.
 */
export const largeProject = (): LooseProject => {
  const cells = range(messages).flatMap((m) =>
    range(signalsPerMessage).map((s) => ({ m, s, id: `S${m}_${s}`, out: (m * 7 + s) % messages })),
  );
  // Every message has signals of many others: its next free position is counted.
  const filled = range(messages).map(() => 0);
  const placed = cells.map((cell) => {
    const place = filled[cell.out] ?? 0;
    filled[cell.out] = place + 1;
    return { ...cell, place };
  });
  const derived = { type: 'float64', producer: 'derived' };
  const waveform = { kind: 'sine', amplitude: 10, offset: 0, period_ms: 2000, sample_ms: 50 };
  return {
    format: 'gwproj',
    schema_version: 1,
    endpoints: [{ id: 'bus', kind: 'can', network: 'bus' }],
    signals: [
      ...cells.map(({ id }) => ({ id, type: 'float64', producer: 'input', unit: 'V' })),
      ...cells.map(({ id }) => ({ id: `${id}_out`, ...derived })),
      ...range(waveforms).map((w) => ({
        ...{ id: `W${w}`, type: 'float64', producer: 'waveform', waveform },
      })),
    ],
    codecs: [
      {
        ...{ id: 'word', kind: 'linear', raw: 'unsigned', bit_length: 16, byte_order: 'intel' },
        ...{ factor: 0.5, invalid_raw: '65535' },
      },
    ],
    messages: [
      ...messageRows('In', 0x100, { direction: 'rx', stale_after_ms: 0 }),
      ...messageRows('Out', 0x200, { direction: 'tx', period_ms: 1000 }),
    ],
    modbus_resources: [],
    bindings: [
      ...cells.map(({ m, s, id }) => ({
        ...{ id: `${id}.rx`, signal: id, direction: 'rx', message: `In${m}`, codec: 'word' },
        start_bit: 16 * s,
      })),
      ...placed.map(({ id, out, place }) => ({
        ...{ id: `${id}.tx`, signal: `${id}_out`, direction: 'tx', message: `Out${out}` },
        ...{ codec: 'word', start_bit: 16 * place },
      })),
    ],
    mappings: cells.map(({ id }) => ({
      ...{ id: `to_${id}_out`, inputs: [id], outputs: [`${id}_out`] },
      transform: { kind: 'linear', k: 2 },
    })),
    tx_tasks: range(messages).map((m) => ({ id: `Out${m}`, message: `Out${m}` })),
  };
};

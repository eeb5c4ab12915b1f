type Row = Record<string, unknown>;
type Tables = Record<string, Row[]>;

const head = { format: 'gwproj', schema_version: 1 };
const u8 = { id: 'u8', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' };
const u16 = { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16 };

const numbered = (count: number, make: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Received signals, derived signals, and registers that serve them: six rows each. */
const plant = (rows: number): Tables => {
  const count = Math.floor(rows / 6);
  return {
    endpoints: [
      { id: 'bus', kind: 'can', network: 'bus' },
      ...numbered(Math.ceil(count / 65_536), (index) => ({
        id: `plc${index}`,
        kind: 'modbus',
        network: `plc${index}`,
        role: 'server',
        node: 1,
      })),
    ],
    codecs: [u8, u16],
    signals: [
      ...numbered(count, (index) => ({ id: `in${index}`, type: 'uint64', producer: 'input' })),
      ...numbered(count, (index) => ({ id: `out${index}`, type: 'float64', producer: 'derived' })),
    ],
    messages: numbered(Math.ceil(count / 8), (index) => ({
      id: `m${index}`,
      endpoint: 'bus',
      direction: 'rx',
      can_id: index,
      extended: true,
      length: 8,
      stale_after_ms: 100,
    })),
    modbus_resources: numbered(count, (index) => ({
      id: `r${index}`,
      endpoint: `plc${Math.floor(index / 65_536)}`,
      table: 'input',
      address: index % 65_536,
      access: 'serve',
    })),
    bindings: [
      ...numbered(count, (index) => ({
        id: `b${index}`,
        signal: `in${index}`,
        direction: 'rx',
        message: `m${Math.floor(index / 8)}`,
        codec: 'u8',
        start_bit: 8 * (index % 8),
      })),
      ...numbered(count, (index) => ({
        id: `s${index}`,
        signal: `out${index}`,
        direction: 'tx',
        resource: `r${index}`,
        codec: 'u16',
      })),
    ],
    mappings: numbered(count, (index) => ({
      id: `map${index}`,
      inputs: [`in${index}`],
      outputs: [`out${index}`],
    })),
  };
};

const chain = (rows: number): Tables => {
  const count = Math.floor(rows / 2);
  return {
    signals: [
      { id: 's0', type: 'float64', producer: 'software' },
      ...numbered(count, (index) => ({
        id: `s${index + 1}`,
        type: 'float64',
        producer: 'derived',
      })),
    ],
    mappings: numbered(count, (index) => ({
      id: `m${index}`,
      inputs: [`s${count - index - 1}`],
      outputs: [`s${count - index}`],
    })),
  };
};

const pages = (rows: number): Tables => {
  const selector = { ...u8, id: 'page', bit_length: 32 };
  return {
    endpoints: [{ id: 'bus', kind: 'can', network: 'bus' }],
    codecs: [u8, selector],
    signals: [{ id: 's', type: 'uint64', producer: 'software' }],
    messages: [{ id: 'm', endpoint: 'bus', direction: 'tx', can_id: 1, length: 8, period_ms: 10 }],
    tx_tasks: [{ id: 't', message: 'm' }],
    bindings: [
      { id: 'p', signal: 's', direction: 'tx', message: 'm', codec: 'page', start_bit: 0 },
      ...numbered(rows, (index) => ({
        id: `b${index}`,
        signal: 's',
        direction: 'tx',
        message: 'm',
        codec: 'u8',
        start_bit: 32,
        mux: { selector: 'p', values: [String(index)] },
      })),
    ],
  };
};

/** One problem per row: every row refers to nothing and writes over all others. */
const faulty = (rows: number): Tables => ({
  ...pages(1),
  bindings: numbered(rows, (index) => ({
    id: `b${index}`,
    signal: 'none',
    direction: 'tx',
    message: 'm',
    codec: 'u8',
    start_bit: 60,
    validity_bit: 0,
  })),
});

/** Projects of about this many rows, each difficult in another way. */
export const projects: Readonly<Record<string, (rows: number) => object>> = {
  plant: (rows) => ({ ...head, ...plant(rows) }),
  chain: (rows) => ({ ...head, ...chain(rows) }),
  pages: (rows) => ({ ...head, ...pages(rows) }),
  faulty: (rows) => ({ ...head, ...faulty(rows) }),
};

import { BusbarError, type ErrorDetails } from '../../../base/errors/busbar-error.ts';
import { type LdfContent, readLdf } from '../read-ldf.ts';

/** Sections of a small network; a test replaces those that it is about. */
const standard = {
  header: `LIN_description_file;
LIN_protocol_version = "2.1";
LIN_language_version = "2.1";
LIN_speed = 19.2 kbps;`,
  nodes: 'Nodes { Master: M, 5 ms, 0.1 ms; Slaves: A, B; }',
  signals: `Signals {
  Speed: 8, 1, M, A;
  Lamp: 2, 0, M, A, B;
  State: 8, 0, A, M;
}`,
  frames: `Frames {
  Command: 1, M, 2 { Speed, 0; Lamp, 8; }
  Answer: 2, A, 2 { State, 8; }
}`,
  attributes: `Node_attributes {
  A { LIN_protocol = "2.1"; configured_NAD = 0x21; initial_NAD = 1; product_id = 0x4A4F, 0x4841, 0; }
  B { LIN_protocol = "2.1"; configured_NAD = 2; product_id = 1, 2; }
}`,
  schedules: 'Schedule_tables { Normal { Command delay 10 ms; Answer delay 10 ms; } }',
  encodings: '',
  representation: '',
  more: '',
};

type Sections = Partial<Record<keyof typeof standard, string>>;

export const network = (sections: Sections = {}): string =>
  Object.values({ ...standard, ...sections }).join('\n');

export const readText = (text: string): LdfContent => readLdf(new TextEncoder().encode(text));

export const readNetwork = (sections: Sections = {}): LdfContent => readText(network(sections));

export const codesOf = (sections: Sections): string[] =>
  readNetwork(sections).diagnostics.map(({ code }) => code);

/** Why a file is rejected; null if it is not. */
export const refusalOf = (file: string | Uint8Array): ErrorDetails | null => {
  try {
    readLdf(typeof file === 'string' ? new TextEncoder().encode(file) : file);
    return null;
  } catch (thrown) {
    if (thrown instanceof BusbarError && thrown.code === 'invalid_database') return thrown.details;
    throw thrown;
  }
};

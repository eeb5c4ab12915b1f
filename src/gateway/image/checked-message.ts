import type { E2eCodec } from '../project/tables/codecs.ts';
import { ImageReader } from './image-reader.ts';
import { codecTable, e2eTable, messageTable } from './image-tables.ts';
import type { ProjectImage } from './project-image.ts';

/** A received message with an end-to-end check. */
export interface CheckedMessage {
  readonly network: string;
  readonly id: number;
  readonly extended: boolean;
  /** First protected byte, and the number of bytes. */
  readonly start: number;
  readonly length: number;
  readonly codec: E2eCodec;
}

/** Finds the check of a received message by its id, or says why there is none. */
export const checkedMessage = (image: ProjectImage, wanted: string): CheckedMessage | string => {
  const reader = new ImageReader(image);
  const messages = messageTable.open(image.messages);
  for (let row = 0; row < messages.count; row++) {
    const number = messages.id[row] as number;
    if (number === 0 || reader.text(number) !== wanted) continue;
    const checks = e2eTable.open(image.e2e);
    const check = (messages.e2e[row] as number) - 1;
    const codec = checks.codec[check] as number;
    const plugin = reader.pluginOf(codec);
    if (plugin !== undefined) return `${wanted} is checked by the plugin ${plugin}`;
    return {
      network: reader.endpoint(messages.endpoint[row] as number).network,
      id: messages.canId[row] as number,
      extended: messages.extended[row] === 1,
      start: checks.at[check] as number,
      length: checks.length[check] as number,
      codec: reader.json<E2eCodec>(codecTable.open(image.codecs).layout[codec] as number),
    };
  }
  return `no received message ${wanted} has an E2E check`;
};

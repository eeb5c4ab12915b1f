import { expect, it } from 'vitest';
import { readNetwork } from './ldf/testing/read-text.ts';
import { linFacts } from './lin-facts.ts';

it.each([
  ['1.2', '1.3'],
  ['1.3', '1.3'],
  ['2.0', '2.0'],
  ['2.1', '2.1'],
  ['2.2', '2.2'],
  ['ISO17987:2015', '2.2'],
  ['J2602_1_1.0', '2.0'],
  ['9.9', null],
])('a network of LIN %s is for channels of %s', (written, version) => {
  const header = `LIN_description_file; LIN_protocol_version = "${written}"; LIN_speed = 9.6 kbps;`;
  expect(linFacts(readNetwork({ header }).database.lin)).toEqual({ bitRate: 9600, version });
});

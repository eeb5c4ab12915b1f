// Version and licence of a Node that is part of a package.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { renderBill } from './bundled-packages.mjs';

/** `e_machine` of the ELF header by processor. */
const machineOf = { x64: 0x3e, arm64: 0xb7 };

/** Location in the official Node archives. */
const licenceBeside = (program) => resolve(dirname(program), '..', 'LICENSE');

/** Version and licence of a Node, possibly for another processor. */
export const readRuntime = async (program, cpu, licence = licenceBeside(program)) => {
  const content = await readFile(program);
  if (content.readUInt16LE(18) !== machineOf[cpu]) throw new Error(`${program} is not for ${cpu}`);
  const [, version] =
    /\/download\/release\/v(\d+\.\d+\.\d+)\//.exec(content.toString('latin1')) ?? [];
  if (version === undefined) throw new Error(`${program} is no release of Node`);
  if (!existsSync(licence)) {
    throw new Error(
      `${licence} is missing: give the licence of Node with --runtime-licence=<file>`,
    );
  }
  return { version, licence: await readFile(licence, 'utf8') };
};

export const listRuntime = async (folder, { version, licence }) => {
  const licences = join(folder, 'licences.txt');
  const heading = `Node.js ${version}, in runtime/node`;
  const text = await readFile(licences, 'utf8');
  await writeFile(licences, `${text.trimEnd()}\n\n${heading}\n\n${licence.trim()}\n`);
  const bill = join(folder, 'sbom.cdx.json');
  const sbom = JSON.parse(await readFile(bill, 'utf8'));
  const ref = `pkg:generic/node@${version}`;
  sbom.components.push({
    type: 'platform',
    'bom-ref': ref,
    name: 'node',
    version,
    licenses: [{ license: { name: 'Node.js', text: { content: licence.trim() } } }],
    purl: ref,
  });
  sbom.dependencies[0].dependsOn.push(ref);
  sbom.dependencies.push({ ref, dependsOn: [] });
  await writeFile(bill, renderBill(sbom));
};

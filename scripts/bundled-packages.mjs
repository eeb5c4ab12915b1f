// Licences and bill of materials of the bundled packages.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './load-source.mjs';

const readJson = async (...path) => JSON.parse(await readFile(join(root, ...path), 'utf8'));

/** Folder of the package that a bundled file belongs to, if any; packages can be nested. */
const packageFolder = (file) =>
  /(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(
    file.replaceAll('\\', '/'),
  )?.[1];

/** Packages that contain any of these files, from the lock file, by folder. */
export const packagesOf = async (files) => {
  const { packages } = await readJson('package-lock.json');
  // Native libraries of koffi are not inputs of a bundle.
  const native = Object.keys(packages).filter((path) => /koffi-linux-(arm64|x64)$/.test(path));
  const folders = [...new Set([...files.map(packageFolder).filter(Boolean), ...native])];
  return folders
    .map((folder) => ({
      folder,
      name: folder.replace(/^.*node_modules\//, ''),
      ...packages[folder],
    }))
    .sort((one, other) => (one.folder < other.folder ? -1 : 1));
};

const licenceFile = /^(licen[cs]e|copying|notice)(\.|$)/i;

/** Packages of native libraries have no licence text: they use the one of koffi. */
const textFolder = ({ name, folder }) =>
  name.startsWith('@koromix/koffi-') ? 'node_modules/koffi' : folder;

const licenceTexts = async (bundled) => {
  const folder = join(root, textFolder(bundled));
  const names = (await readdir(folder)).filter((name) => licenceFile.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  if (texts.length === 0) {
    const { author } = await readJson(bundled.folder, 'package.json');
    const by = typeof author === 'object' ? author.name : author;
    return [
      `The package has no text of its licence: ${bundled.license}, by ${by ?? 'its authors'}.`,
    ];
  }
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim());
};

/** One entry per name and version, also if several packages contain it. */
const distinct = (packages) => {
  const all = new Map(packages.map((each) => [`${each.name} ${each.version}`, each]));
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
};

const line = '-'.repeat(80);

/** A list of packages, then all licence texts. */
export const renderLicences = async (packages) => {
  const all = distinct(packages);
  const list = all.map(({ name, version, license }) => `${name} ${version}: ${license}`);
  const texts = await Promise.all(
    all.map(async (each) =>
      [
        line,
        `${each.name} ${each.version} (${each.license})`,
        line,
        ...(await licenceTexts(each)),
      ].join('\n\n'),
    ),
  );
  return `Busbar contains parts of these packages.\n\n${list.join('\n')}\n\n${texts.join('\n\n')}\n`;
};

const beforeHeading = new RegExp(`\\n\\n(?=${line}\\n\\n\\S+ \\S+ \\(.+\\)\\n\\n${line}\\n)`);

/** The rendered licences of the packages with a matching name. */
export const selectLicences = (licences, isWanted) => {
  const [list, ...texts] = licences.trimEnd().split(beforeHeading);
  const [opening, names] = list.split('\n\n');
  const wantedNames = names.split('\n').filter((each) => isWanted(each.split(' ')[0]));
  const wantedTexts = texts.filter((text) => isWanted(text.split('\n')[2].split(' ')[0]));
  return `${[opening, wantedNames.join('\n'), ...wantedTexts].join('\n\n')}\n`;
};

/** The package that a folder resolves a name to: the nearest one. */
const findFrom = (packages, folder, name) => {
  const all = new Map(packages.map((each) => [each.folder, each]));
  for (let at = folder; ; at = at.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const found = all.get(at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`);
    if (found !== undefined || at === '') return found;
  }
};

const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Formats a hash as a name-based UUID (RFC 9562). */
const uuidOf = (text) => {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const hashesOf = (integrity) => {
  const [, alg, content] = /^(sha\d+)-(.+)$/.exec(integrity);
  return [
    { alg: alg.replace('sha', 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') },
  ];
};

/** An SPDX identifier, or an expression of several. */
const licencesOf = (text) =>
  text.includes(' ') ? [{ expression: text }] : [{ license: { id: text } }];

/**
 * CycloneDX 1.5. The serial number is derived from the content, so that builds are
 * reproducible.
 */
export const renderBill = ({ metadata, components, dependencies }) => {
  const content = { metadata, components, dependencies };
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};

/** The part of a bill of materials with matching packages. */
export const selectSbom = (sbom, isWanted) => {
  const { metadata, components, dependencies } = JSON.parse(sbom);
  const unwanted = components.filter(({ name }) => !isWanted(name));
  const refs = new Set(unwanted.map((each) => each['bom-ref']));
  return renderBill({
    metadata,
    components: components.filter((each) => !unwanted.includes(each)),
    dependencies: dependencies
      .filter(({ ref }) => !refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => !refs.has(on)) })),
  });
};

export const renderSbom = async (packages) => {
  const { name, version, license } = await readJson('package.json');
  const product = {
    type: 'application',
    'bom-ref': purl(name, version),
    name,
    version,
    licenses: [{ license: { id: license } }],
    purl: purl(name, version),
  };
  const components = distinct(packages).map((each) => ({
    type: 'library',
    'bom-ref': purl(each.name, each.version),
    name: each.name,
    version: each.version,
    licenses: licencesOf(each.license),
    hashes: hashesOf(each.integrity),
    purl: purl(each.name, each.version),
  }));
  const dependencies = [
    { ref: product.purl, dependsOn: components.map(({ purl }) => purl) },
    ...distinct(packages).map((each) => ({
      ref: purl(each.name, each.version),
      dependsOn: Object.keys({ ...each.dependencies, ...each.optionalDependencies })
        .map((dependency) => findFrom(packages, each.folder, dependency))
        .filter(Boolean)
        .map((found) => purl(found.name, found.version)),
    })),
  ];
  return renderBill({ metadata: { component: product }, components, dependencies });
};

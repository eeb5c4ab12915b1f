import type { LinProduct, LinSlave } from '../../lin-model.ts';
import { type FileProblems, shown } from '../../text/problems.ts';
import type { Draft, DraftAddress, DraftNode, Reference } from '../read/draft.ts';
import { Names } from './names.ts';
import { type LinVersion, versionOf } from './version.ts';

const maxSupplier = 0x7ffe;
const maxFunction = 0xfffe;
const maxVariant = 0xff;

const productOf = (node: DraftNode, problems: FileProblems): LinProduct | null => {
  if (node.product === null) return null;
  const [supplier = 0, product = 0, variant = 0, ...rest] = node.product;
  const fits = supplier <= maxSupplier && product <= maxFunction && variant <= maxVariant;
  if (!fits || node.product.length < 2 || rest.length > 0) {
    problems.warn(
      'node_address_irregular',
      node.at,
      `The product identifier of ${shown(node.name)} is one that nodes cannot have`,
      'cut to its bits',
    );
  }
  return { supplierId: supplier & 0xffff, functionId: product & 0xffff, variant: variant & 0xff };
};

const isReservedNad = (nad: number | null): boolean => nad === 0 || nad === 0x7e || nad === 0x7f;

/** Frames and signals that attributes can name. */
export interface KnownNames {
  readonly signals: Pick<Names<Reference>, 'find'>;
  readonly frames: Pick<Names<Reference>, 'find'>;
}

export class SlaveBuilder {
  readonly #nodes: Names<DraftNode>;
  readonly #addresses: Names<DraftAddress>;
  readonly #known: KnownNames;
  readonly #protocol: LinVersion;
  readonly #problems: FileProblems;

  constructor(
    { nodes, addresses }: Draft,
    known: KnownNames,
    protocol: LinVersion,
    problems: FileProblems,
  ) {
    this.#addresses = new Names<DraftAddress>('node', problems).add(addresses);
    this.#nodes = new Names<DraftNode>('node', problems).add(nodes);
    this.#known = known;
    this.#protocol = protocol;
    this.#problems = problems;
  }

  build(slaves: Iterable<Reference>, master: string | null): LinSlave[] {
    const built = Array.from(slaves, (slave) => this.#slave(slave));
    const names = new Set(built.map(({ name }) => name));
    for (const { at, name } of this.#nodes.all) {
      if (names.has(name)) continue;
      const message =
        name === master
          ? `The master ${shown(name)} has attributes`
          : `There is no slave ${shown(name)}`;
      this.#problems.warn('reference_unknown', at, message, 'attributes ignored');
    }
    for (const { at, name } of this.#addresses.all) {
      if (names.has(name)) continue;
      const message = `There is no slave ${shown(name)}`;
      this.#problems.warn('reference_unknown', at, message, 'address ignored');
    }
    return built;
  }

  #slave({ at, name }: Reference): LinSlave {
    const node = this.#nodes.get(name);
    if (node === undefined && this.#protocol >= 20) {
      this.#warnMissing(at, `Slave ${shown(name)} has no attributes`);
    }
    const attributes = node ?? absent;
    const protocol = this.#protocolOf(node);
    const product = node === undefined ? null : productOf(node, this.#problems);
    if (
      node !== undefined &&
      product === null &&
      (versionOf(protocol ?? '') ?? this.#protocol) >= 21
    ) {
      this.#warnMissing(node.at, `Slave ${shown(name)} has no product identifier`);
    }
    const address = this.#addresses.get(name);
    const configuredNad = attributes.configuredNad ?? attributes.initialNad ?? address?.nad ?? null;
    const initialNad = attributes.initialNad ?? configuredNad;
    const given = node ?? address;
    if (given !== undefined && (isReservedNad(configuredNad) || isReservedNad(initialNad))) {
      this.#problems.warn(
        'node_address_irregular',
        given.at,
        `The address of ${shown(name)} is reserved`,
        'kept',
      );
    }
    return {
      name,
      protocol,
      initialNad,
      configuredNad,
      product,
      responseError: this.#named(attributes.responseError),
      faultStateSignals: attributes.faultStateSignals
        .map((reference) => this.#named(reference))
        .filter((signal) => signal !== null),
      p2MinMs: attributes.p2MinMs ?? '50',
      stMinMs: attributes.stMinMs ?? '0',
      nAsTimeoutMs: attributes.nAsTimeoutMs ?? '1000',
      nCrTimeoutMs: attributes.nCrTimeoutMs ?? '1000',
      configurableFrames: attributes.configurableFrames.flatMap(({ frame, messageId }) =>
        this.#known.frames.find(frame) === null ? [] : [{ frame: frame.name, messageId }],
      ),
    };
  }

  #protocolOf(node: DraftNode | undefined): string | null {
    const protocol = node?.protocol ?? null;
    if (node !== undefined && protocol !== null && versionOf(protocol) === null) {
      this.#problems.warn(
        'version_unknown',
        node.at,
        `The LIN version ${shown(protocol)} of ${shown(node.name)} is not known`,
        'treated as that of the file',
      );
    }
    return protocol;
  }

  #named(reference: Reference | null): string | null {
    if (reference === null) return null;
    return this.#known.signals.find(reference)?.name ?? null;
  }

  #warnMissing(at: number, message: string): void {
    this.#problems.warn('attributes_missing', at, message, 'defaults used');
  }
}

const absent: Pick<
  DraftNode,
  | 'configuredNad'
  | 'initialNad'
  | 'responseError'
  | 'faultStateSignals'
  | 'p2MinMs'
  | 'stMinMs'
  | 'nAsTimeoutMs'
  | 'nCrTimeoutMs'
  | 'configurableFrames'
> = {
  configuredNad: null,
  initialNad: null,
  responseError: null,
  faultStateSignals: [],
  p2MinMs: null,
  stMinMs: null,
  nAsTimeoutMs: null,
  nCrTimeoutMs: null,
  configurableFrames: [],
};

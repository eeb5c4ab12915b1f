import { semicolon } from '../../text/cursor.ts';
import { shown } from '../../text/problems.ts';
import { equals, type LdfCursor, percent } from './cursor.ts';
import type { Draft, DraftNode } from './draft.ts';

type AttributeReader = (cursor: LdfCursor, node: DraftNode) => void;

/** Reads what is between “=” and “;”. */
const valued =
  (read: AttributeReader): AttributeReader =>
  (cursor, node) => {
    cursor.expect(equals);
    read(cursor, node);
    cursor.expect(semicolon);
  };

const milliseconds = (key: 'p2MinMs' | 'stMinMs' | 'nAsTimeoutMs' | 'nCrTimeoutMs') =>
  valued((cursor, node) => {
    node[key] = cursor.readMilliseconds('a time');
  });

const ignoredTime = valued((cursor) => {
  cursor.readMilliseconds('a time');
});

const readConfigurableFrames: AttributeReader = (cursor, node) => {
  const frames: DraftNode['configurableFrames'][number][] = [];
  cursor.readBlock(() => {
    cursor.problems.keep(cursor.offset);
    const frame = cursor.readReference('a frame name');
    const messageId = cursor.skip(equals) ? cursor.readWhole('a message identifier', 0xffff) : null;
    cursor.expect(semicolon);
    frames.push({ frame, messageId });
  });
  node.configurableFrames = frames;
};

const attributes: ReadonlyMap<string, AttributeReader> = new Map(
  Object.entries({
    LIN_protocol: valued((cursor, node) => {
      node.protocol = cursor.readTextOrWord('a version');
    }),
    configured_NAD: valued((cursor, node) => {
      node.configuredNad = cursor.readWhole('a node address', 0xff);
    }),
    initial_NAD: valued((cursor, node) => {
      node.initialNad = cursor.readWhole('a node address', 0xff);
    }),
    product_id: valued((cursor, node) => {
      node.product = cursor.readWholes('a product identifier');
    }),
    response_error: valued((cursor, node) => {
      node.responseError = cursor.readReference('a signal name');
    }),
    fault_state_signals: valued((cursor, node) => {
      node.faultStateSignals = cursor.readReferences('a signal name');
    }),
    P2_min: milliseconds('p2MinMs'),
    ST_min: milliseconds('stMinMs'),
    N_As_timeout: milliseconds('nAsTimeoutMs'),
    N_Cr_timeout: milliseconds('nCrTimeoutMs'),
    response_tolerance: valued((cursor) => {
      cursor.readReal('a tolerance');
      cursor.expect(percent);
    }),
    wakeup_time: ignoredTime,
    poweron_time: ignoredTime,
    configurable_frames: readConfigurableFrames,
  } satisfies Record<string, AttributeReader>),
);

const emptyNode = {
  protocol: null,
  configuredNad: null,
  initialNad: null,
  product: null,
  responseError: null,
  faultStateSignals: [],
  p2MinMs: null,
  stMinMs: null,
  nAsTimeoutMs: null,
  nCrTimeoutMs: null,
  configurableFrames: [],
};

export const readNodeAttributes = (cursor: LdfCursor, draft: Draft): void =>
  cursor.readBlock(() => {
    const node: DraftNode = { ...emptyNode, ...cursor.readReference('a node name') };
    cursor.problems.keep(node.at);
    cursor.readBlock(() => {
      const attribute = cursor.readReference('an attribute');
      cursor.problems.keep(attribute.at);
      const read = attributes.get(attribute.name);
      if (read === undefined) {
        const message = `Unknown attribute ${shown(attribute.name)}`;
        cursor.problems.warn('statement_unknown', attribute.at, message, 'ignored');
        cursor.skipUnknown();
      } else read(cursor, node);
    });
    draft.nodes.push(node);
  });

import { frameFlag } from '../../frame/frm2-layout.ts';
import { isDiagnosticId } from '../../frame/lin.ts';

/** Whether a frame that is asked for with those flags has the enhanced checksum. */
export const usesEnhancedChecksum = (id: number, flags: number): boolean =>
  (flags & frameFlag.enhancedChecksum) !== 0 && !isDiagnosticId(id);

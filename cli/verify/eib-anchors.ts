import { anchorsSchema, verifyAnchors } from '../../machines/cell/cellbe.anchors.ts';
import { referenceData } from '../../scenarios/json-data.ts';
import { formatOf, type ReferenceKind } from '../../scenarios/reference-kind.ts';

/**
 * The anchors of the Element Interconnect Bus (Cell specification 19.3, 19.4).
 *
 * Gotchas: figures of the literature decide nothing; the rows of the calibrated model are a regression test of a fit.
 */
export const eibAnchors: ReferenceKind = {
  name: 'cell-eib-anchors/1',
  summary: 'constants, limits and calibrated throughput of the Element Interconnect Bus',
  recognises: (file) => formatOf(file) === 'cell-eib-anchors/1',
  rows: (file) => verifyAnchors(referenceData(file, anchorsSchema)),
};

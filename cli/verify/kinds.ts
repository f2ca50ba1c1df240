import { cellArbitration } from './cell-arbitration.ts';
import { cellResults } from './cell-results.ts';
import { cellWorkloads } from './cell-workloads.ts';
import { eibAnchors } from './eib-anchors.ts';
import { grapeKinds } from './grape.ts';
import { interchipletRounds } from './interchiplet.ts';
import { popnetRuns } from './popnet.ts';
import { booksimCurves, popnetCurves } from './popnet-curves.ts';
import { popnetExtensions } from './popnet-extensions.ts';
import { ptxKernels } from './ptx.ts';
import type { ReferenceKind } from './reference-kind.ts';
import { tcaFigures } from './tca-figures.ts';
import { tcaHimeno } from './tca-himeno.ts';

/** The kinds of reference data that `lockstep verify` knows. A further one is one file and one line here. */
export const referenceKinds: readonly ReferenceKind[] = [
  cellArbitration,
  cellWorkloads,
  cellResults,
  eibAnchors,
  ...grapeKinds,
  popnetRuns,
  popnetExtensions,
  popnetCurves,
  booksimCurves,
  ptxKernels,
  tcaHimeno,
  ...tcaFigures,
  interchipletRounds,
];

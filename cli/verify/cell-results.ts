import { existsSync } from 'node:fs';
import { formatOf, NothingToCompare, type ReferenceKind } from '../../scenarios/reference-kind.ts';

/** Results (Cell specification 18.2): they are compared where their workloads are. */
export const cellResults: ReferenceKind = {
  name: 'cell-result/1',
  summary: 'compared together with its workload',
  recognises: (file) => formatOf(file) === 'cell-result/1',
  rows({ path }) {
    const workload = path.replace(/\.result\.json$/, '.workload.json');
    const there = workload !== path && existsSync(workload);
    throw new NothingToCompare(there ? `compared with ${workload}` : `there is no workload beside it to run`);
  },
};

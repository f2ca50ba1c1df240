import {
  type CellbePrograms,
  cellbePrograms,
  type TimedEntry,
} from '../../../machines/cell/cellbe-config.ts';
import { firstDifference, type Reference } from '../../with-reference.ts';

/** An entry as scenario files write it (Cell specification 19). */
function written(entry: TimedEntry): readonly unknown[] {
  const { cycle } = entry;
  if ('tags' in entry) return [cycle, 'wait', entry.tags];
  const { kind, local, element, tag, on } = entry;
  const place = [local, element];
  const tags = tag === undefined ? [] : [tag];
  if ('pieces' in entry) {
    const pieces = entry.pieces.map(({ address, size }) => [address, size]);
    return [cycle, kind === 'get' ? 'getList' : 'putList', ...place, pieces, ...tags];
  }
  const own = on === undefined ? [] : ['proxy', on];
  return [cycle, ...own, kind, ...place, entry.address, entry.size, ...tags];
}

/** Programs as data mean what they say: written out again they are read as what runs. */
export const programsAreRead: Reference = (_run, given) => () => {
  // The name of the machine says what was given.
  for (const [name, program] of Object.entries(given.programs as CellbePrograms)) {
    if (!Array.isArray(program)) continue;
    const read = cellbePrograms.parse({ [name]: program.map(written) });
    const why = firstDifference(read[name], program, `.programs.${name}`);
    if (why !== undefined) return why;
  }
  return undefined;
};

import { spcMembers } from '../../../../actors/sunway/array/identity.ts';
import type { Drawing } from '../../../pictures/drawing.ts';
import { linkMap, valueGrid } from '../../../pictures/heat-maps.ts';
import { type CoreId, coreName, cpeCore } from '../race/race-event.ts';
import type { LinkTraffic } from './activity.ts';

/** The 8x8 CPEs of a core group; for bytes moved, cycles waited and the like. */
export const arrayHeatMap = (
  title: string,
  unit: string,
  values: ReadonlyMap<CoreId, number>,
  group = 0,
): Drawing =>
  valueGrid({
    title,
    unit,
    columns: 8,
    cells: Array.from({ length: 64 }, (_, tid) => {
      const core = cpeCore(tid, group);
      const value = values.get(core) ?? 0;
      return { label: String(tid), value, tooltip: `${coreName(core)}: ${value} ${unit}` };
    }),
  });

/** The links of the 4x4 mesh of clusters of a core group, each direction for itself. */
export const meshHeatMap = (title: string, links: readonly LinkTraffic[], group = 0): Drawing =>
  linkMap({
    title,
    unit: 'bytes by link',
    nodes: Array.from({ length: 16 }, (_, cluster) => ({
      column: cluster % 4,
      row: cluster >> 2,
      label: String(cluster),
      tooltip: `cluster ${cluster}: CPEs ${spcMembers(cluster).join(' ')}`,
    })),
    links: links
      .filter((link) => link.group === group)
      .map(({ from, to, bytes }) => ({
        from,
        to,
        value: bytes,
        tooltip: `cluster ${from} to cluster ${to}: ${bytes} bytes`,
      })),
  });

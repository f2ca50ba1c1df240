import { type CoreId, coreName, coresPerGroup, groupOf } from '../race/race-event.ts';

/** Cores in few words: `CPE 0-4, 6` or `CPE 0-63, MPE`; core groups other than 0 are named. */
export function coreNames(cores: readonly CoreId[]): string {
  const sorted = [...new Set(cores)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at]!;
    let last = first;
    while (sorted[at + 1] === last + 1 && isCpe(last + 1) && groupOf(last + 1) === groupOf(first)) {
      last++;
      at++;
    }
    at++;
    const name = coreName(first);
    parts.push(
      last === first
        ? name
        : name.replace(/^CPE (\d+)/, (_, tid: string) => `CPE ${tid}-${last % coresPerGroup}`),
    );
  }
  return parts.map((part, index) => (index === 0 ? part : part.replace(/^CPE /, ''))).join(', ');
}

const isCpe = (core: CoreId): boolean => core % coresPerGroup !== coresPerGroup - 1;

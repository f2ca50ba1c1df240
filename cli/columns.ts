/** Lines of cells under each other, each column as wide as its widest cell; two spaces in between. To the left, but for cells of which `toTheRight` says otherwise. */
export function columns(
  lines: readonly (readonly string[])[],
  toTheRight: (cell: string, column: number) => boolean = () => false,
): readonly string[] {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) =>
    line
      .map((cell, column) =>
        toTheRight(cell, column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** A part as percent with one digit. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
/** The same with its sign. */
export const signed = (share: number): string => `${share < 0 ? '' : '+'}${percent(share)}`;

/**
 * Colours of series and kinds that people with any colour vision tell apart: the palette of M. Okabe and K. Ito without its yellow, which
 * vanishes on white. Their light and dark differ, too.
 */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#3b4350'] as const;

/** Dashes that tell series of one colour apart, in px; the first is a whole line. */
const dashes = ['', '6 3', '2 3', '8 3 2 3'] as const;

/** The colour of the series or kind with this number, from 0; colours come again after seven. */
export const colourOf = (index: number): string => colours[index % colours.length]!;

/** The dashes of the series with this number: whole lines for the first seven, then others. */
export const dashesOf = (index: number): string =>
  dashes[Math.floor(index / colours.length) % dashes.length]!;

/** Colours of what is written and of lines behind the data. */
export const [ink, dark, faint, ground] = ['#43505e', '#1d2733', '#dde2e8', '#f6f8fa'] as const;

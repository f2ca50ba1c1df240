/** Colours of states that people with any kind of colour vision tell apart (after Okabe and Ito), lighter on light ground, deeper on dark ground. */
const light = [
  '#9ecae1',
  '#fdd49e',
  '#a1d99b',
  '#d4b9da',
  '#fee08b',
  '#c7c7c7',
  '#b2df8a',
  '#fbb4ae',
  '#80cdc1',
  '#cab2d6',
];
const dark = [
  '#2f6f95',
  '#a8672c',
  '#39794a',
  '#7a4f86',
  '#8f7a22',
  '#626a73',
  '#557f2c',
  '#99504f',
  '#2f7f76',
  '#66518a',
];

/** What the canvas is drawn with; text and lines are those of the style sheet. */
export interface Colours {
  readonly ground: string;
  readonly lane: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly accent: string;
  readonly bad: string;
  readonly warn: string;
  readonly states: readonly string[];
}

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const own = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: own('ground'),
    lane: own('lane'),
    text: own('text'),
    quiet: own('quiet'),
    line: own('line'),
    accent: own('accent'),
    bad: own('bad'),
    warn: own('warn'),
    states: own('scheme') === 'dark' ? dark : light,
  };
}

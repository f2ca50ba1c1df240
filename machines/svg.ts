/** Attributes of an SVG element; numbers are written with at most two decimals. */
export type SvgAttributes = Readonly<Record<string, string | number>>;

/** Writes one SVG element; `children` are elements already written, and attribute values are escaped. */
export function element(name: string, attributes: SvgAttributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? svgNumber(value) : escapeXml(value)}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** Writes an SVG text element whose characters are escaped. */
export function textElement(attributes: SvgAttributes, characters: string): string {
  return element('text', attributes, escapeXml(characters));
}

/** A white page of so many px with its title, which readers' tools tell; `children` are elements already written. */
export function page(
  { width, height, title }: { readonly width: number; readonly height: number; readonly title: string },
  ...children: readonly string[]
): string {
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${svgNumber(width)} ${svgNumber(height)}`,
      role: 'img',
      'font-family': 'system-ui, sans-serif',
    },
    tooltip(title),
    element('rect', { x: 0, y: 0, width, height, fill: '#ffffff' }),
    ...children,
  )}\n`;
}

/** Writes the tooltip of the element it is put into. */
export function tooltip(characters: string): string {
  return element('title', {}, escapeXml(characters));
}

/** Replaces what XML would read as markup, and what XML 1.0 forbids, so that any name can stand in a picture. */
export function escapeXml(characters: string): string {
  return characters
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Writes a coordinate in px with at most two decimals, which keeps pictures small and the same everywhere. */
export function svgNumber(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return String(rounded === 0 ? 0 : rounded);
}

/** Estimates the width in px of a text at a font size in px, by a common wide font, since the reader's font is not known. */
export function textWidth(characters: string, fontSize: number): number {
  let widths = 0;
  for (const character of characters) widths += characterWidth(character);
  return widths * fontSize;
}

function characterWidth(character: string): number {
  if (character === ' ') return 0.32;
  if (character === '→' || character === '←') return 0.84;
  return /[A-Z0-9#]/.test(character) ? 0.65 : 0.57;
}

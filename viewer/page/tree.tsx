import type { Plain } from '../protocol.ts';

type Rec = { readonly [key: string]: Plain };

const isWord = (value: Plain): value is { readonly $: string } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  typeof (value as { $?: unknown }).$ === 'string';
const isRecord = (value: Plain | undefined): value is Rec =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isWord(value);

const same = (one: Plain | undefined, other: Plain | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function short(value: Plain): string {
  if (isWord(value)) return value.$;
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length}]`;
  if (isRecord(value))
    return Object.keys(value).length === 0
      ? '{}'
      : `{${Object.keys(value).slice(0, 4).join(', ')}${Object.keys(value).length > 4 ? ', …' : ''}}`;
  return JSON.stringify(value);
}

const whole = (value: Plain): string => {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : short(value);
};

const children = (value: Plain): readonly (readonly [string, Plain])[] =>
  Array.isArray(value)
    ? value.map((one, index) => [String(index), one] as const)
    : isRecord(value)
      ? Object.entries(value)
      : [];

/** A value as a tree; with `before`, what changed since is marked and its earlier value shown. */
export function Tree({
  name,
  value,
  before,
  changed = false,
  open = false,
}: {
  readonly name: string;
  readonly value: Plain;
  readonly before?: Plain | undefined;
  /** True where `before` is told; a value that is new has none. */
  readonly changed?: boolean;
  readonly open?: boolean;
}) {
  const differs = changed && !same(value, before);
  const inner = children(value);
  const text = JSON.stringify(value);
  if (inner.length === 0 || (text.length <= 60 && !differs))
    return (
      <div class={differs ? 'leaf changed' : 'leaf'}>
        <span class="key">{name}</span> <span class="value">{inner.length === 0 ? short(value) : text}</span>
        {differs && <span class="was"> was {before === undefined ? 'not there' : whole(before)}</span>}
      </div>
    );
  const earlier = before === undefined ? [] : children(before);
  const old = new Map(earlier);
  const gone = earlier.filter(([key]) => !inner.some(([own]) => own === key));
  return (
    <details class={differs ? 'node changed' : 'node'} open={open || differs}>
      <summary>
        <span class="key">{name}</span> <span class="quiet">{short(value)}</span>
      </summary>
      {inner.map(([key, one]) => (
        <Tree key={key} name={key} value={one} before={old.get(key)} changed={changed} />
      ))}
      {changed &&
        gone.map(([key, one]) => (
          <div key={key} class="leaf changed">
            <span class="key">{key}</span> <span class="was">gone, was {whole(one)}</span>
          </div>
        ))}
    </details>
  );
}

import { effect } from '@preact/signals';
import { axis, goTo, panel, playHead, selected, show, showAll, view } from './store.ts';

/** Goes where the address of the page says. Returns false when it says nothing. */
export function takeFromAddress(): boolean {
  const told = new URLSearchParams(location.hash.slice(1));
  const at = Number(told.get('at') ?? Number.NaN);
  if (!Number.isFinite(at)) return false;
  const kind = told.get('axis');
  const before = axis.value;
  if (kind === 'order' || kind === 'time') axis.value = kind;
  const [from, to] = (told.get('view') ?? '').split('~').map(Number);
  if (Number.isFinite(from) && Number.isFinite(to)) show(from!, to!);
  else if (axis.value !== before) showAll();
  const shownPanel = told.get('panel');
  if (shownPanel) panel.value = shownPanel as typeof panel.value;
  goTo(at, told.get('actor') ?? undefined);
  return true;
}

/** Keeps moment, selection and view in the address, so that a page can be shared and bookmarked. */
export function keepInAddress(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const told = new URLSearchParams({
      at: String(Number(playHead.value.toFixed(6))),
      actor: selected.value ?? '',
      panel: panel.value,
      axis: axis.value,
      view: view.value.map((one) => Math.round(one * 100) / 100).join('~'),
    });
    clearTimeout(timer);
    // Browsers refuse an address that changes with every frame.
    timer = setTimeout(() => history.replaceState(null, '', `#${told}`), 200);
  });
}

import { handOn } from '../lib/handoff';
import { search } from './search';

const $ = <T extends Element>(selector: string) => document.querySelector<T>(selector);

function watchSearch(box: HTMLInputElement, groups: HTMLElement): void {
  const cards = [...groups.querySelectorAll<HTMLElement>('[data-search]')];
  const entries = cards.map((card) => ({ words: (card.dataset.search ?? '').split('\n') }));
  const status = $<HTMLElement>('[data-search-status]');
  const popular = $<HTMLElement>('[data-popular]');
  const look = () => {
    const asked = box.value.trim() !== '';
    const { places, near } = search(box.value, entries);
    cards.forEach((card, place) => {
      card.closest('li')!.hidden = asked && !places.includes(place);
    });
    for (const group of groups.querySelectorAll<HTMLElement>('[data-group]')) {
      group.hidden = !group.querySelector('li:not([hidden])');
    }
    if (popular) popular.hidden = asked;
    if (status) status.textContent = asked ? told(places.length, near, groups) : '';
  };
  box.addEventListener('input', look);
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && box.value.trim() !== '')
      cards.find((card) => !card.closest('li')!.hidden)?.click();
  });
}

function told(count: number, near: boolean, { dataset }: HTMLElement): string {
  if (near) return (count > 0 ? dataset.near : dataset.none) ?? '';
  return ((count === 1 ? dataset.one : dataset.count) ?? '').replace('{n}', String(count));
}

const extensionOf = (file: File) => file.name.slice(file.name.lastIndexOf('.')).toLowerCase();

class Offer {
  files: File[] = [];
  readonly title: HTMLElement;
  readonly items: HTMLElement[];

  constructor(readonly dialog: HTMLDialogElement) {
    this.title = dialog.querySelector<HTMLElement>('[data-offer-title]')!;
    this.items = [...dialog.querySelectorAll<HTMLElement>('[data-offer-tool]')];
    dialog.querySelector('[data-offer-close]')?.addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    for (const item of this.items)
      item.querySelector('a')?.addEventListener('click', (event) => this.go(event, item));
  }

  show(files: File[]): void {
    if (files.length === 0) return;
    this.files = files;
    const extensions = [...new Set(files.map(extensionOf))];
    for (const item of this.items) {
      const takes = (item.dataset.offerTool ?? '').split(' ');
      item.hidden = !extensions.every((extension) => takes.includes(extension));
    }
    this.title.textContent = this.heading(this.items.some((item) => !item.hidden));
    this.dialog.showModal();
  }

  heading(some: boolean): string {
    const { one = '', many = '', none = '' } = this.title.dataset;
    const template = some ? (this.files.length === 1 ? one : many) : none;
    return template.replace('{name}', this.files[0]!.name).replace('{n}', String(this.files.length));
  }

  async go(event: Event, item: HTMLElement): Promise<void> {
    event.preventDefault();
    const href = (event.currentTarget as HTMLAnchorElement).href;
    await handOn(item.dataset.route ?? '', { files: this.files });
    location.assign(href);
  }
}

function watchDrop(area: HTMLElement, offer: Offer): void {
  const input = $<HTMLInputElement>('[data-home-input]')!;
  input.addEventListener('change', () => {
    offer.show([...(input.files ?? [])]);
    input.value = '';
  });
  const mark = (on: boolean) => area.toggleAttribute('data-dragging', on);
  area.addEventListener('dragover', () => mark(true));
  area.addEventListener('dragleave', () => mark(false));
  // The whole home takes a drop: there is nothing else on it that a file could mean.
  addEventListener('drop', (event) => {
    mark(false);
    offer.show([...(event.dataTransfer?.files ?? [])]);
  });
  addEventListener('paste', (event) => offer.show([...(event.clipboardData?.files ?? [])]));
}

const box = $<HTMLInputElement>('[data-search-box]');
const groups = $<HTMLElement>('[data-tool-groups]');
const area = $<HTMLElement>('[data-home-drop]');
const dialog = $<HTMLDialogElement>('[data-offer]');
if (box && groups) watchSearch(box, groups);
if (area && dialog) watchDrop(area, new Offer(dialog));

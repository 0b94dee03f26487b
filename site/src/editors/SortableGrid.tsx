import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import type { CSSProperties, HTMLAttributes, ReactNode } from 'react';
import type { Words } from './words';

/** What the part of an item that one drags by must carry. */
export type Handle = HTMLAttributes<HTMLElement> & { ref(element: HTMLElement | null): void };

type Props = {
  ids: string[];
  nameOf(id: string): string;
  onOrder(ids: string[]): void;
  item(id: string, handle: Handle): ReactNode;
  className: string;
  label: string;
  words: Words;
};

/** Things one drags into order, by pointer or keyboard. The only place that knows the drag library. */
export function SortableGrid({ ids, nameOf, onOrder, item, className, label, words }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || over.id === active.id) return;
    onOrder(arrayMove(ids, ids.indexOf(String(active.id)), ids.indexOf(String(over.id))));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        announcements: announcementsIn(words, ids, nameOf),
        screenReaderInstructions: { draggable: words.orderHint },
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ol className={className} aria-label={label}>
          {ids.map((id) => (
            <Item key={id} id={id} item={item} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

function Item({ id, item }: { id: string; item: Props['item'] }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id });
  const style: CSSProperties = {
    transform: transform
      ? `translate3d(${Math.round(transform.x)}px, ${Math.round(transform.y)}px, 0)`
      : undefined,
    transition,
  };
  return (
    <li ref={setNodeRef} style={style} data-dragging={isDragging || undefined}>
      {item(id, { ...attributes, ...listeners, ref: setActivatorNodeRef })}
    </li>
  );
}

function announcementsIn(words: Words, ids: string[], nameOf: Props['nameOf']): Announcements {
  const place = (id: string | number) => ids.indexOf(String(id)) + 1;
  const name = (id: string | number) => nameOf(String(id));
  return {
    onDragStart: ({ active }) => words.lifted(name(active.id)),
    onDragOver: ({ active, over }) =>
      over ? words.moved(name(active.id), place(over.id), ids.length) : undefined,
    onDragEnd: ({ active, over }) => (over ? words.dropped(name(active.id), place(over.id)) : undefined),
    onDragCancel: () => words.cancelled,
  };
}

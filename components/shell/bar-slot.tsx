'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';

export type BarPlace = 'start' | 'center' | 'end';
type Places = Record<BarPlace, HTMLElement | null>;

const PlacesContext = createContext<Places>({ start: null, center: null, end: null });
const RegisterContext = createContext<(place: BarPlace, element: HTMLElement | null) => void>(() => {});

export function BarSlotProvider({ children }: { children: ReactNode }) {
  const [places, setPlaces] = useState<Places>({ start: null, center: null, end: null });
  const [register] = useState(() => (place: BarPlace, element: HTMLElement | null) => {
    setPlaces((before) => (before[place] === element ? before : { ...before, [place]: element }));
  });
  return (
    <RegisterContext value={register}>
      <PlacesContext value={places}>{children}</PlacesContext>
    </RegisterContext>
  );
}

/** Where the top bar lets pages put things. */
export function BarOutlet({ place, className }: { place: BarPlace; className?: string }) {
  const register = useContext(RegisterContext);
  const [attach] = useState(() => (element: HTMLDivElement | null) => register(place, element));
  return <div ref={attach} className={className} />;
}

/**
 * Puts a page's own controls into the one top bar: `start` after the mark (names, breadcrumbs), `center`, or `end` before the theme button
 * (run, share). Renders nothing until the bar is there.
 */
export function BarSlot({ place, children }: { place: BarPlace; children: ReactNode }) {
  const target = useContext(PlacesContext)[place];
  return target === null ? null : createPortal(children, target);
}

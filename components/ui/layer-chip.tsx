import { type LayerId, layers } from '@/harness/contract/layers';
import { cn } from './cn';

export const isLayer = (value: string): value is LayerId => Object.hasOwn(layers, value);

/** The CSS variable of a layer's hue; an unknown layer is neutral. */
export const layerColor = (layer: string): string => `var(--layer-${isLayer(layer) ? layer : 'flow'})`;
export const layerTitle = (layer: string): string => (isLayer(layer) ? layers[layer].title : layer);

/** A tint of a layer's hue over what is below it, `percent` 0 to 100. */
export const layerTint = (layer: string, percent: number): string => `color-mix(in oklab, ${layerColor(layer)} ${percent}%, transparent)`;

/** Swatch and name of a control layer. */
export function LayerChip({ layer, className }: { layer: string; className?: string }) {
  return (
    <span
      className={cn('inline-flex h-5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-sm px-1.5 text-ink text-xs', className)}
      style={{ background: layerTint(layer, 14) }}
    >
      <span aria-hidden className="h-2.5 w-[3px] rounded-full" style={{ background: layerColor(layer) }} />
      {layerTitle(layer)}
    </span>
  );
}

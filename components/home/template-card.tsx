'use client';

import { ArrowRight } from 'lucide-react';
import type { TemplateView } from '@/server/api-types';
import { Card } from '../ui/card';
import { FlowDrawing } from '../ui/flow-drawing';
import { formatCount } from '../ui/format';
import { textOf } from '../ui/json-text';
import { LayerChip } from '../ui/layer-chip';
import { Spinner } from '../ui/spinner';

export interface TemplateCardProps {
  template: TemplateView;
  onOpen: () => void;
  busy: boolean;
}

/** One click makes a flow of the template and opens it. The whole card is the button's target. */
export function TemplateCard({ template, onOpen, busy }: TemplateCardProps) {
  const question = textOf(template.sample.input);
  const layers = template.layers.filter((layer) => layer !== 'flow');
  return (
    <Card className="group relative flex flex-col overflow-hidden transition-[border-color,box-shadow] focus-within:border-ring hover:border-line-strong hover:shadow-pop">
      <div className="dotted h-36 border-line border-b bg-canvas p-3">
        {template.preview ? <FlowDrawing preview={template.preview} className="size-full" /> : null}
      </div>
      <div className="flex flex-1 flex-col gap-2 p-4">
        <div className="flex items-center justify-between gap-2">
          <h3 className="min-w-0 font-semibold text-base">
            <button
              type="button"
              onClick={onOpen}
              disabled={busy}
              className="text-left outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-ring"
            >
              {template.title}
            </button>
          </h3>
          {busy ? (
            <Spinner className="text-accent" />
          ) : (
            <ArrowRight
              aria-hidden
              size={16}
              className="shrink-0 text-faint transition-transform group-hover:translate-x-0.5 group-hover:text-accent"
            />
          )}
        </div>
        <p className="text-muted text-sm">{template.summary}</p>
        {question ? (
          <p className="line-clamp-2 border-accent-line border-l-2 pl-2.5 text-ink text-sm" title={question}>
            {question}
          </p>
        ) : null}
        <div className="mt-auto flex flex-wrap items-center gap-1 pt-2 text-faint text-xs">
          <span className="mr-1">{formatCount(template.nodeCount, 'node')}</span>
          {layers.slice(0, 3).map((layer) => (
            <LayerChip key={layer} layer={layer} />
          ))}
          {layers.length > 3 ? <span>and {layers.length - 3} more</span> : null}
        </div>
      </div>
    </Card>
  );
}

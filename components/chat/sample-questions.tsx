'use client';

import { useQuery } from '@tanstack/react-query';
import { CornerDownLeft } from 'lucide-react';
import type { FlowDocument } from '@/harness/flow/schema';
import { useTRPC } from '../state/trpc';
import { textOf } from '../ui/json-text';

const questionsOf = (document: FlowDocument): string[] =>
  document.nodes
    .filter((node) => node.type === 'input' && node.parent === undefined)
    .flatMap((node) => (Array.isArray(node.config.samples) ? node.config.samples : []))
    .map((sample) => textOf(sample))
    .filter((question) => question !== '')
    .slice(0, 4);

export interface SampleQuestionsProps {
  flowId: string;
  getDraft: (() => FlowDocument | undefined) | undefined;
  onPick: (question: string) => void;
}

/** Questions that the flow's input node offers to try. A click puts one in the field; nothing is sent. */
export function SampleQuestions({ flowId, getDraft, onPick }: SampleQuestionsProps) {
  const trpc = useTRPC();
  const draft = getDraft?.();
  const stored = useQuery(trpc.flows.get.queryOptions({ id: flowId }, { enabled: draft === undefined, staleTime: 60_000 }));
  const document = draft ?? stored.data?.document;
  const questions = document ? [...new Set(questionsOf(document))] : [];
  if (questions.length === 0) return null;
  return (
    <ul className="mt-2 flex max-w-md flex-col gap-1.5">
      {questions.map((question) => (
        <li key={question}>
          <button
            type="button"
            onClick={() => onPick(question)}
            className="group flex w-full items-start gap-2 rounded-md border border-line bg-surface px-3 py-2 text-left transition-colors hover:border-accent-line hover:bg-accent-soft"
          >
            <span className="min-w-0 flex-1">{question}</span>
            <CornerDownLeft aria-hidden size={14} className="mt-0.5 shrink-0 text-faint group-hover:text-accent" />
          </button>
        </li>
      ))}
    </ul>
  );
}

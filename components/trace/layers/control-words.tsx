import { CircleCheck, type LucideIcon, OctagonX, TriangleAlert, UserRound } from 'lucide-react';
import type { ControlWord } from '@/harness/trace/views/layers/ribbon';

interface Look {
  icon: LucideIcon;
  className: string;
  /** What the word means for the run. */
  meaning: string;
}

export const controlLooks: Readonly<Record<ControlWord, Look>> = {
  NORMAL: { icon: CircleCheck, className: 'bg-ok-soft text-ok', meaning: 'Work goes on.' },
  CAUTIOUS: { icon: TriangleAlert, className: 'bg-warn-soft text-warn', meaning: 'Work goes on with care.' },
  BLOCKED: { icon: OctagonX, className: 'bg-fail-soft text-fail', meaning: 'Nothing is executed until the blocked dimensions recover.' },
  HUMAN: { icon: UserRound, className: 'bg-waiting-soft text-waiting', meaning: 'A person has to decide.' },
};

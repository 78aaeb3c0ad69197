import { Cpu, type LucideIcon, Sparkles, UserRound } from 'lucide-react';
import type { Authority } from '@/harness/contract/layers';
import { Badge } from './badge';

const looks: Record<Authority, { label: string; title: string; icon: LucideIcon }> = {
  llm: { label: 'Model', title: 'A model decides here', icon: Sparkles },
  deterministic: { label: 'Rule', title: 'Deterministic: the same input always gives the same decision', icon: Cpu },
  human: { label: 'Person', title: 'A person decides here', icon: UserRound },
};

/** Who decides at a node. `compact` shows the icon alone, with the word for screen readers. */
export function AuthorityBadge({ authority, compact = false }: { authority: Authority; compact?: boolean }) {
  const look = looks[authority];
  const icon = <look.icon aria-hidden size={12} />;
  if (!compact) {
    return (
      <Badge tone="outline" icon={icon} title={look.title}>
        {look.label}
      </Badge>
    );
  }
  return (
    <span className="inline-flex text-faint" title={look.title}>
      {icon}
      <span className="sr-only">{look.label}</span>
    </span>
  );
}
